"""Renders the templates beside this file with Jinja2 as Hugging Face's tokenizers do; prints expected.json."""

import json
import sys
from pathlib import Path

from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment


def raise_exception(message):
    raise ValueError(message)


env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
env.filters["tojson"] = lambda value, indent=None: json.dumps(value, ensure_ascii=False, indent=indent)
env.globals["raise_exception"] = raise_exception

SYSTEM = {"role": "system", "content": "You play a household game. <b>Answer</b> with one action."}


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


FIRST = user("You are in a room.\nYour task is to: put a mug in the desk.")
SECOND = user("The drawer 1 is closed.\n")
PLAIN = assistant("go to drawer 1")
THOUGHT = assistant("<think>\nMugs lie in drawers.\n\nÜber-sure.\n</think>\n\nopen drawer 1")
CONVERSATIONS = [
    [FIRST],
    [FIRST, PLAIN],
    [FIRST, THOUGHT],
    [FIRST, PLAIN, SECOND],
    [FIRST, THOUGHT, SECOND],
    [FIRST, THOUGHT, SECOND, assistant("<think>\n\n</think>\n\ntake mug 1")],
    [FIRST, THOUGHT, SECOND, assistant("\n take mug 1\n"), user("Taken."), THOUGHT],
    [FIRST, PLAIN, user("<tool_response>\nA mug.\n</tool_response>")],
    [FIRST, THOUGHT, user("<tool_response>\nA mug.\n</tool_response>")],
    [FIRST, THOUGHT, user("<tool_response>\nA mug.\n</tool_response>"), assistant("take </think> mug 1")],
    [FIRST, assistant("no end <think> here"), SECOND, assistant("Mugs?</think>look"), user("Fine.")],
]


def cases(template):
    for conversation in CONVERSATIONS:
        for messages in (conversation, [SYSTEM, *conversation]):
            for prompt in (True, False):
                for more in ({}, {"enable_thinking": False}, {"enable_thinking": True}):
                    variables = {"messages": messages, "add_generation_prompt": prompt, **more}
                    yield {**variables, "text": template.render(bos_token="", eos_token="", **variables)}


files = sorted(Path(__file__).parent.glob("*.jinja"))
lines = [
    json.dumps({"template": file.name, **case}, ensure_ascii=False)
    for file in files
    for case in cases(env.from_string(file.read_text(encoding="utf-8")))
]
sys.stdout.write("[\n" + ",\n".join(lines) + "\n]\n")

"use strict";
// Steps through episodes. Text from the run only ever goes into text nodes.
(function () {
  const holder = document.getElementById("episode-data");
  const viewer = document.getElementById("viewer");
  if (!holder || !viewer) {
    return;
  }
  const episodes = JSON.parse(holder.textContent);
  let episode = 0;
  let turn = 0;

  function node(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) {
        made.addEventListener(name.slice(2), value);
      } else if (value !== false) {
        made.setAttribute(name, value);
      }
    }
    made.append(...children);
    return made;
  }

  // Raw score to a share of the bar: a probability where the scale has one, else by rank.
  function share(scale, score, all) {
    if (scale === "logit") {
      return 1 / (1 + Math.exp(-score));
    }
    if (scale === "probability") {
      return score;
    }
    const low = Math.min(...all);
    const high = Math.max(...all);
    return high > low ? (score - low) / (high - low) : 0.5;
  }

  function shown(scale, score) {
    if (score === undefined) {
      return "–";
    }
    const raw = score.toFixed(2);
    return scale === "logit" ? share(scale, score).toFixed(3) + " (" + raw + ")" : raw;
  }

  function meter(part) {
    return node("div", { class: "meter" },
      node("span", { style: "width:" + (100 * part).toFixed(1) + "%" }));
  }

  function scores(step) {
    return step.candidates.map(c => c.score).filter(s => s !== undefined);
  }

  function chosenScore(step) {
    const chosen = step.candidates.find(c => c.action === step.action);
    return chosen ? chosen.score : undefined;
  }

  function episodeScores(current) {
    return current.turns.map(chosenScore).filter(s => s !== undefined);
  }

  function select(newEpisode, newTurn, focus) {
    episode = newEpisode;
    turn = newTurn;
    draw();
    const current = viewer.querySelector("ol [aria-current=true]");
    if (focus && current) {
      current.focus({ preventScroll: true });
      const list = current.closest("ol");
      const top = current.parentNode.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    }
  }

  function toolbar(current) {
    const choice = node("select", {
      "aria-label": "Episode",
      onchange: event => select(Number(event.target.value), 0, false)
    });
    episodes.forEach((e, i) => {
      const option = node("option", { value: i }, (e.success ? "✓ " : "✗ ") + e.label + " — " + e.task);
      option.selected = i === episode;
      choice.append(option);
    });
    const last = current.turns.length;
    return node("div", { class: "bar" }, choice,
      node("button", { type: "button", disabled: turn === 0 && "", onclick: () => select(episode, turn - 1, true) }, "← Back"),
      node("button", { type: "button", disabled: turn >= last && "", onclick: () => select(episode, turn + 1, true) }, "Next →"));
  }

  function about(current) {
    return node("div", {},
      node("p", { class: "task" }, current.instruction),
      node("p", { class: "about" },
        node("span", { class: current.success ? "ok" : "fail" }, current.end),
        node("span", {}, current.turns.length + " actions"),
        node("span", {}, current.category),
        node("span", {}, current.policy)));
  }

  function turns(current) {
    const all = episodeScores(current);
    const list = node("ol", { "aria-label": "Turns" });
    current.turns.forEach((step, i) => {
      const score = chosenScore(step);
      list.append(node("li", {}, node("button", {
        type: "button", "aria-current": i === turn ? "true" : "false",
        onclick: () => select(episode, i, true)
      }, node("span", { class: "no" }, String(i + 1)), node("span", {}, step.action || "(no action)"),
      score === undefined ? "" : meter(share(current.scale, score, all)))));
    });
    list.append(node("li", {}, node("button", {
      type: "button", "aria-current": turn === current.turns.length ? "true" : "false",
      onclick: () => select(episode, current.turns.length, true)
    }, node("span", { class: "no" }, ""), node("span", { class: "quiet" }, "end"))));
    return list;
  }

  function candidates(current, step) {
    if (step.candidates.length === 0) {
      return node("p", {}, "Action: ", node("b", {}, step.action || "(none)"));
    }
    const all = scores(step);
    const body = node("tbody", {});
    const ranked = step.candidates.slice().sort((a, b) =>
      (b.score === undefined ? -Infinity : b.score) - (a.score === undefined ? -Infinity : a.score) || 0);
    for (const candidate of ranked) {
      const chosen = candidate.action === step.action;
      body.append(node("tr", { class: chosen ? "chosen" : "" },
        node("td", { class: "pick" }, chosen ? "▸" : ""),
        node("td", {}, candidate.action || "(no action)"),
        node("td", { class: "num" }, candidate.count + "×"),
        node("td", { class: "num" }, shown(current.scale, candidate.score)),
        node("td", { class: "gauge" },
          candidate.score === undefined ? "" : meter(share(current.scale, candidate.score, all)))));
    }
    const head = current.scale === "logit" ? "P(success) (raw)" : "Score";
    return node("table", {},
      node("thead", {}, node("tr", {}, node("th", {}), node("th", {}, "Candidate"),
        node("th", { class: "num" }, "Drawn"), node("th", { class: "num" }, head), node("th", {}))), body);
  }

  function detail(current) {
    if (turn >= current.turns.length) {
      return node("div", {}, node("h3", {}, "After the last action"),
        node("p", { class: "says" }, current.final), node("p", {}, current.end));
    }
    const step = current.turns[turn];
    const pane = node("div", {}, node("h3", {}, "Turn " + (turn + 1) + ": the agent sees"),
      node("p", { class: "says" }, step.observation));
    if (step.reason) {
      pane.append(node("p", { class: "why" }, step.reason));
    }
    if (step.problem) {
      pane.append(node("p", { class: "problem" }, step.problem));
    }
    if (step.exploratory) {
      pane.append(node("p", { class: "note" }, "An exploratory action: part of the history, not imitated."));
    }
    pane.append(candidates(current, step));
    return pane;
  }

  function draw() {
    const scroll = viewer.querySelector("ol") ? viewer.querySelector("ol").scrollTop : 0;
    const current = episodes[episode];
    viewer.replaceChildren(toolbar(current), about(current),
      node("div", { class: "panes" }, turns(current), detail(current)));
    viewer.querySelector("ol").scrollTop = scroll;
  }

  viewer.addEventListener("keydown", event => {
    if (event.target.tagName === "SELECT") {
      return;
    }
    const last = episodes[episode].turns.length;
    const move = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (move && turn + move >= 0 && turn + move <= last) {
      event.preventDefault();
      select(episode, turn + move, true);
    }
  });
  draw();
})();

package io.agentprm.engine.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What is posted where. */
record Request(String path, ObjectNode body) {}

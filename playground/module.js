'use strict';
// The library as a WebAssembly module. ask() takes a question as playground/answer.h describes it and returns the answer.

async function loadModule(base64) {
  const packed = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  let running = start(module);
  return {
    ask(question) {
      const {answer, ended} = askOnce(running.exports, question);
      // A trap leaves the instance as it was in the middle of the call: the next question gets a new one.
      if (ended) running = start(module);
      return answer;
    },
  };
}

// There are no files and no environment: each function of the system answers that it has nothing.
function start(module) {
  const kBadFile = 8;
  let memory;
  const none = {
    environ_sizes_get(count, bytes) {
      const view = new DataView(memory.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(bytes, 0, true);
      return 0;
    },
    environ_get: () => 0,
    proc_exit(code) { throw new Error('the module ended with code ' + code); },
  };
  const imports = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module))
    (imports[from] = imports[from] || {})[name] = none[name] || (() => kBadFile);
  const instance = new WebAssembly.Instance(module, imports);
  memory = instance.exports.memory;
  instance.exports._initialize();
  return instance;
}

// `ended`: whether the instance has ended in a trap and must not be asked again.
function askOnce(exports, question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  let ended = false;
  try {
    const room = exports.room(bytes.length);
    new Uint8Array(exports.memory.buffer, room, bytes.length).set(bytes);
    exports.ask();
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    ended = true;
  }
  const view = new Uint8Array(exports.memory.buffer, exports.answer_text(), exports.answer_length());
  const text = new TextDecoder().decode(view);
  const lost = {error: {code: 'internal', message: 'the module ended without an answer'}};
  return {answer: text ? JSON.parse(text) : lost, ended};
}

// The link to the host: JSON-RPC 2.0 in messages to the window around this one, and from no other.
const link = (() => {
  const waiting = new Map();
  const listeners = new Map();
  const answers = new Map();
  let last = 0;

  const post = message => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

  function settle({ id, result, error }) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(String(error.message ?? "The host refused.")));
    else resolve(result ?? {});
  }

  function answer({ id, method }) {
    const made = answers.get(method);
    if (made) post({ id, result: made() });
    else post({ id, error: { code: -32601, message: `This view has no ${method}` } });
  }

  window.addEventListener("message", event => {
    const message = event.data;
    if (event.source !== window.parent || !message || message.jsonrpc !== "2.0") return;
    if (typeof message.method !== "string") {
      if (waiting.has(message.id)) settle(message);
    } else if (message.id === undefined) {
      listeners.get(message.method)?.(message.params ?? {});
    } else answer(message);
  });

  return {
    // Asks the host; resolves to the result.
    ask(method, params) {
      const id = ++last;
      post({ id, method, params });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    tell: (method, params = {}) => post({ method, params }),
    hear: (method, listener) => listeners.set(method, listener),
    answer: (method, made) => answers.set(method, made),
  };
})();

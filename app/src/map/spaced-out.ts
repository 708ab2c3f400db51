// Spaces requests out: the first goes at once, of what comes within the delay only the newest is sent.

/** A map that is dragged asks a few times a second, not each frame. */
const DELAY_MS = 300;

/** @returns what to call instead of `send` */
export function spacedOut<Value>(send: (value: Value) => void): (value: Value) => void {
  let sentAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (value) => {
    clearTimeout(timer);
    const sendNow = () => {
      sentAt = performance.now();
      send(value);
    };
    const wait = sentAt + DELAY_MS - performance.now();
    if (wait > 0) timer = setTimeout(sendNow, wait);
    else sendNow();
  };
}

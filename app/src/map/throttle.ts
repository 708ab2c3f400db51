// Throttles calls: the first one is immediate, then only the latest one within each delay is executed.

/** A map that is dragged queries a few times per second, not on each frame. */
const DELAY_MS = 300;

export function throttle<Value>(send: (value: Value) => void): (value: Value) => void {
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

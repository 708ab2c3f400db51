// The page that the map benchmark opens: ?ours or ?control; window.draw() loads the parks and resolves at the first markers.
const { createMap } =
  location.search === '?control' ? await import('./control.ts') : await import('./ours.ts');

const tasks = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) tasks.push([startTime, duration]);
}).observe({ type: 'longtask' });

const map = createMap(document.getElementById('map'), { lat: 32.09, long: 34.8, zoom: 12 });

const twoFrames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** From asking for the list to markers on the screen, milliseconds. */
window.draw = async () => {
  const began = performance.now();
  await map.load();
  await twoFrames();
  return performance.now() - began;
};
/** Goes to another zoom and waits until its markers stand. */
window.zoomTo = async (zoom) => {
  await map.zoomTo(zoom);
  await twoFrames();
};
window.markers = () => map.markers();
window.longestTask = () => tasks.reduce((longest, [, duration]) => Math.max(longest, duration), 0);
window.ready = true;

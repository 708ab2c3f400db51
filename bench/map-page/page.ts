// The page that the map benchmark opens: ?ours or ?control; window.draw() loads the parks and resolves at the first markers.
const { createMap } =
  location.search === '?control' ? await import('./control.ts') : await import('./ours.ts');

const tasks: [start: number, duration: number][] = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) tasks.push([startTime, duration]);
}).observe({ type: 'longtask' });

const map = createMap(document.getElementById('map') as HTMLElement, {
  lat: 32.09,
  long: 34.8,
  zoom: 12,
});

const twoFrames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

declare global {
  interface Window {
    draw(): Promise<number>;
    zoomTo(to: number): Promise<void>;
    markers(): number;
    longestTask(): number;
    ready?: boolean;
  }
}

/** What both maps of the page can do. */
export interface BenchMap {
  load(): Promise<void>;
  zoomTo(zoom: number): Promise<void>;
}
export interface View {
  lat: number;
  long: number;
  zoom: number;
}

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
window.markers = () => document.querySelectorAll('.leaflet-marker-pane > *').length;
window.longestTask = () => tasks.reduce((longest, [, duration]) => Math.max(longest, duration), 0);
window.ready = true;

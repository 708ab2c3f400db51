// The page of the map benchmark, opened with ?ours or ?control. window.draw() loads the parks and resolves when the first markers
// are drawn.
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

export interface BenchMap {
  load(): Promise<void>;
  zoomTo(zoom: number): Promise<void>;
}
export interface View {
  lat: number;
  long: number;
  zoom: number;
}

/** Returns the milliseconds from requesting the list until markers are visible. */
window.draw = async () => {
  const began = performance.now();
  await map.load();
  await twoFrames();
  return performance.now() - began;
};
/** Changes the zoom level and waits until the markers have been painted. */
window.zoomTo = async (zoom) => {
  await map.zoomTo(zoom);
  await twoFrames();
};
window.markers = () => document.querySelectorAll('.leaflet-marker-pane > *').length;
window.longestTask = () => tasks.reduce((longest, [, duration]) => Math.max(longest, duration), 0);
window.ready = true;

// Overlays as entries of a tab's history, tested with a fake history that behaves like a browser's.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NamedOverlays } from '#/ui/overlays.ts';

interface Entry {
  state: unknown;
  url: string;
}

/** The entries of one tab; they survive a reload of its page. */
class Tab {
  entries: Entry[] = [{ state: null, url: '/parks/1' }];
  at = 0;
  page = new EventTarget();

  get urls(): string[] {
    return this.entries.map(({ url }) => url);
  }

  /** Simulates loading the page, after which modules have lost their state. */
  async load() {
    const { entries } = this;
    const here = () => this.entries[this.at] ?? { state: null, url: '' };
    const page = new EventTarget();
    this.page = page;
    const place = {
      origin: 'http://tab',
      get href() {
        return new URL(here().url, 'http://tab').href;
      },
      get pathname() {
        return new URL(here().url, 'http://tab').pathname;
      },
      get search() {
        return new URL(here().url, 'http://tab').search;
      },
      hash: '',
    };
    const put = (at: number, state: unknown, url?: string) =>
      entries.splice(at, 1, { state: structuredClone(state), url: url ?? here().url });
    const at = () => this.at;
    const next = () => (this.at += 1);
    const travel = (delta: number) => this.travel(delta);
    class FakeHistory {
      get state(): unknown {
        return here().state;
      }
      get length(): number {
        return entries.length;
      }
      pushState(state: unknown, _title: string, url?: string): void {
        const from = here().url;
        entries.splice(at() + 1);
        put(next(), state, url ?? from);
      }
      replaceState(state: unknown, _title: string, url?: string): void {
        put(at(), state, url);
      }
      go(delta: number): void {
        setTimeout(() => travel(delta));
      }
    }
    const history = new FakeHistory();
    const add = page.addEventListener.bind(page);
    vi.stubGlobal('History', FakeHistory);
    vi.stubGlobal('history', history);
    vi.stubGlobal('location', place);
    vi.stubGlobal('document', {});
    vi.stubGlobal('addEventListener', add);
    vi.stubGlobal('window', { history, location: place, addEventListener: add });
    vi.resetModules();
    const overlays = await import('#/ui/overlays.ts');
    const seen: string[] = [];
    const router = overlays.createOverlayHistory();
    router.subscribe(({ location: { href } }) => seen.push(href));
    await settled();
    const open = async (named: NamedOverlays) => {
      overlays.setNamedOverlays(named);
      await settled();
    };
    return { overlays, router, seen, open };
  }

  travel(delta: number): void {
    if (!this.entries[this.at + delta]) return;
    this.at += delta;
    this.page.dispatchEvent(
      Object.assign(new Event('popstate'), { state: this.entries[this.at]?.state }),
    );
  }

  async back(): Promise<void> {
    this.travel(-1);
    await settled();
  }
}

/** Waits until all timers have run, including timers that other timers start. */
const settled = () => vi.advanceTimersByTimeAsync(50);

let tab: Tab;
beforeEach(() => {
  vi.useFakeTimers();
  tab = new Tab();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('back closes a sheet on the first page of a visit without a navigation of the router', async () => {
  const { overlays, seen, open } = await tab.load();
  await open({ review: true });
  expect([tab.urls, tab.at]).toEqual([['/parks/1', '/parks/1'], 1]);
  await tab.back();
  expect([overlays.getNamedOverlays(), tab.at, seen]).toEqual([{}, 0, []]);
});

test('back closes only the topmost overlay, even if it comes before any timer', async () => {
  const { overlays } = await tab.load();
  const closed: string[] = [];
  const open = (name: string) => {
    const remove = overlays.addOverlay(() => {
      closed.push(name);
      remove();
    });
  };
  open('directions');
  await settled();
  open('filters');
  await tab.back();
  expect([closed, tab.at]).toEqual([['filters'], 1]);
});

test('a sheet that the user closes leaves no history entry', async () => {
  const { overlays, open } = await tab.load();
  await open({ review: true });
  await open({ review: null });
  expect([tab.at, overlays.hasOpenOverlay()]).toEqual([0, false]);
});

test('a sheet opens again after a reload, and after navigating back from a page that it led to', async () => {
  const before = await tab.load();
  await before.open({ review: true });
  const { overlays, router } = await tab.load();
  expect(overlays.getNamedOverlays()).toEqual({ review: true });
  router.push('/users', {});
  await settled();
  expect([overlays.getNamedOverlays(), tab.urls]).toEqual([{}, ['/parks/1', '/parks/1', '/users']]);
  await tab.back();
  expect(overlays.getNamedOverlays()).toEqual({ review: true });
  await tab.back();
  expect([overlays.getNamedOverlays(), tab.at]).toEqual([{}, 0]);
});

test('after closing a sheet and navigating immediately, back leads to the page and not to the sheet', async () => {
  const { overlays, router, seen, open } = await tab.load();
  await open({ dog: true });
  overlays.setNamedOverlays({ dog: null });
  router.push('/dogs/2', {});
  await settled();
  expect([tab.urls, tab.at, seen]).toEqual([['/parks/1', '/dogs/2'], 1, ['/dogs/2']]);
  await tab.back();
  expect([seen.at(-1), overlays.getNamedOverlays()]).toEqual(['/parks/1', {}]);
});

test('a URL that changes under a sheet is kept when the sheet closes', async () => {
  const { overlays, router, open } = await tab.load();
  await open({ filters: true });
  router.replace('/parks/1?shade=yes', {});
  await settled();
  expect(overlays.getNamedOverlays()).toEqual({ filters: true });
  await open({ filters: null });
  expect([tab.at, tab.entries[0]?.url, overlays.hasOpenOverlay()]).toEqual([
    0,
    '/parks/1?shade=yes',
    false,
  ]);
});

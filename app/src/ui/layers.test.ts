// Layers over a screen as entries of a tab's history, played against a history that works as a browser's does.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NamedLayers } from '#/ui/layers.ts';

interface Entry {
  state: unknown;
  url: string;
}

/** The entries of one tab; they outlive a reload of its page. */
class Tab {
  entries: Entry[] = [{ state: null, url: '/parks/1' }];
  at = 0;
  page = new EventTarget();

  get urls(): string[] {
    return this.entries.map(({ url }) => url);
  }

  /** Loads the page, anew each time: what the modules remember is gone. */
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
    const layers = await import('#/ui/layers.ts');
    const seen: string[] = [];
    const router = layers.layeredHistory();
    router.subscribe(({ location: { href } }) => seen.push(href));
    await settled();
    const open = async (named: NamedLayers) => {
      layers.openNamed(named);
      await settled();
    };
    return { layers, router, seen, open };
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

/** Until what was put off, also by what it does itself, is done. */
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

test('back closes a sheet on the first page of a visit, and the router hears nothing of it', async () => {
  const { layers, seen, open } = await tab.load();
  await open({ review: true });
  expect([tab.urls, tab.at]).toEqual([['/parks/1', '/parks/1'], 1]);
  await tab.back();
  expect([layers.namedLayers(), tab.at, seen]).toEqual([{}, 0, []]);
});

test('a sheet that is closed by hand leaves no entry to go back through', async () => {
  const { layers, open } = await tab.load();
  await open({ review: true });
  await open({ review: null });
  expect([tab.at, layers.isLayered()]).toEqual([0, false]);
});

test('a sheet is open again after a reload, and after coming back from where it led', async () => {
  const before = await tab.load();
  await before.open({ review: true });
  const { layers, router } = await tab.load();
  expect(layers.namedLayers()).toEqual({ review: true });
  router.push('/users', {});
  await settled();
  expect([layers.namedLayers(), tab.urls]).toEqual([{}, ['/parks/1', '/parks/1', '/users']]);
  await tab.back();
  expect(layers.namedLayers()).toEqual({ review: true });
  await tab.back();
  expect([layers.namedLayers(), tab.at]).toEqual([{}, 0]);
});

test('who closes a sheet and goes on at once comes back to the page, not to the sheet', async () => {
  const { layers, router, seen, open } = await tab.load();
  await open({ dog: true });
  layers.openNamed({ dog: null });
  router.push('/dogs/2', {});
  await settled();
  expect([tab.urls, tab.at, seen]).toEqual([['/parks/1', '/dogs/2'], 1, ['/dogs/2']]);
  await tab.back();
  expect([seen.at(-1), layers.namedLayers()]).toEqual(['/parks/1', {}]);
});

test('an address that changes under a sheet is still there when the sheet is closed', async () => {
  const { layers, router, open } = await tab.load();
  await open({ filters: true });
  router.replace('/parks/1?shade=yes', {});
  await settled();
  expect(layers.namedLayers()).toEqual({ filters: true });
  await open({ filters: null });
  expect([tab.at, tab.entries[0]?.url, layers.isLayered()]).toEqual([
    0,
    '/parks/1?shade=yes',
    false,
  ]);
});

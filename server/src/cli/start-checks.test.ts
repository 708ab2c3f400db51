// Tests that `start`, `doctor` and `upgrade-check` accept exactly the same: each setting and each part of the data folder is broken
// in three ways.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canEnter } from '#/host/db/data-home.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { readSettings, settingsSchema } from '#/product/settings.ts';
import { startChecks } from '#/product/start-checks.ts';
import { collect } from '#/cli/report.ts';
import { migratedData, runCli, startCli, temporaryData } from '../../../testing/run-cli.ts';

/** Settings that accept any text: names, keys of other services, and paths that are checked only when they are used. */
const ANY_TEXT =
  `ANDROID_CERT_SHA256 ANDROID_PACKAGE APPLE_APP_ID APPLE_CLIENT_ID APPLE_KEY_ID APPLE_TEAM_ID
  ADDITIONAL_REDIRECT_URLS AUTH_EMAILS_ALLOWED CAPTCHA_SECRET CAPTCHA_SITE_KEY GOOGLE_CLIENT_ID GOOGLE_CLIENT_SECRET
  MAP_ATTRIBUTION METRICS_TOKEN S3_ACCESS_KEY_ID S3_BUCKET S3_REGION S3_SECRET_ACCESS_KEY TILE_ATTRIBUTION`.split(
    /\s+/,
  );
/** Settings that all three commands read first, with shared code. start.test.ts tests them. */
const OPENED_FIRST = ['DATA_DIR', 'DATABASE_URL', 'HOST', 'POSTGRES_BIN'];
const BROKEN = ['{bad', '-1,,', 'a b c'];

test('each setting that is not free text is checked before the start', async () => {
  const home = { folder: temporaryData(), database: '/nowhere', account: null, stage: '' };
  const accepted: string[] = [];
  for (const name of Object.keys(settingsSchema.entries))
    for (const value of BROKEN) {
      const environment = { DATA_DIR: home.folder, [name]: value };
      const check = () => collect(startChecks(readSettings(environment), home));
      const results = await collect([check]);
      if (!results.some(([kind]) => kind === 'bad')) accepted.push(name);
    }
  expect([...new Set(accepted)].filter((name) => !OPENED_FIRST.includes(name)).sort()).toEqual(
    ANY_TEXT.filter((name) => accepted.includes(name)).sort(),
  );
  for (const service of ['{bad', '{"project_id": "x"}', '{"private_key": "no key"}'])
    expect(
      await collect(startChecks(readSettings({ FCM_SERVICE_ACCOUNT: service }), null)),
    ).toContainEqual(['bad', expect.stringMatching(/^The setting FCM_SERVICE_ACCOUNT is wrong/)]);
});

const isRoot = process.getuid?.() === 0;
/** The commands run as an ordinary account, because file modes do not restrict root. */
const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
  Number(spawnSync('id', [flag, 'games'], { encoding: 'utf8' }).stdout),
);
const who = isRoot && canEnter(ROOT, { uid, gid }) ? { uid, gid } : {};

const calm = { DEMO: 'false', SITE_TEXTS: 'texts.json' };

test(
  'each broken part of the data folder is rejected by all three commands, or by none',
  { timeout: 900_000 },
  async () => {
    const data = migratedData();
    const environment = { DATA_DIR: data, ...calm };
    writeFileSync(path.join(data, 'texts.json'), '{}');
    const own = () =>
      isRoot && 'uid' in who && execFileSync('chown', ['-R', `${uid}:${gid}`, data]);
    own();
    await (await startCli(environment, who)).end('SIGTERM');
    const parts = [...readdirSync(data), 'postgres/PG_VERSION', 'postgres/global/pg_control'];
    expect(parts).toEqual(
      expect.arrayContaining(['jwt-secret', 'postgres', 'push-key', 'storage']),
    );

    /** Returns the failed checks of a command, without the check that the app is built. */
    const finds = async (command: string) => {
      const { stdout, stderr } = await runCli([command], environment, who);
      const bad = [...stdout.matchAll(/^bad +(.*)$/gm)].map(([, sentence = '']) => sentence);
      return [...bad, ...(stdout === '' ? [stderr] : [])].filter((one) => !/not built/.test(one));
    };
    const starts = async (): Promise<string[]> => {
      try {
        await (await startCli(environment, who)).end('SIGTERM');
        return [];
      } catch (error) {
        return [(error as Error).message.trim()];
      }
    };

    const differences: unknown[] = [];
    const repeated: unknown[] = [];
    const rejected: string[] = [];
    for (const part of parts) {
      const [place, aside] = [path.join(data, part), path.join(data, 'aside')];
      const ways: Record<string, () => void> = {
        removed: () => undefined,
        garbage: () => writeFileSync(place, 'garbage', { mode: 0o600 }),
        closed: () => {
          execFileSync('cp', ['-a', aside, place]);
          chmodSync(place, 0o000);
        },
      };
      for (const [way, breakIt] of Object.entries(ways)) {
        renameSync(place, aside);
        breakIt();
        own();
        const [doctor, upgrade] = [await finds('doctor'), await finds('upgrade-check')];
        const start = await starts();
        const verdicts = [doctor, upgrade, start].map((sentences) => sentences.length === 0);
        if (new Set(verdicts).size > 1) differences.push({ part, way, doctor, upgrade, start });
        else if (!verdicts[0]) rejected.push(`${part} ${way}`);
        if (doctor.filter((sentence) => sentence.includes(place)).length > 1) repeated.push(doctor);
        if (existsSync(place)) {
          chmodSync(place, 0o700);
          rmSync(place, { recursive: true });
        }
        renameSync(aside, place);
      }
    }
    expect(differences).toEqual([]);
    expect(repeated).toEqual([]);
    expect(rejected).toEqual(
      expect.arrayContaining([
        'jwt-secret removed',
        'push-key garbage',
        'texts.json garbage',
        'storage closed',
      ]),
    );
  },
);

// Tests that plans are cached for the current schema only, and that earlier schemas are released from memory.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createPlanCache } from '#/host/rest/plan-cache.ts';
import type { Plan } from '#/host/rest/prepare.ts';
import type { Schema } from '#/host/rest/schema-cache.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const schema = () => ({}) as Schema;
const plan = (of: Schema) => ({ of }) as unknown as Plan;

test('reloading the schema discards the plans of the previous one', async () => {
  const plans = createPlanCache();
  const gone: WeakRef<Schema>[] = [];
  let newest = schema();
  for (let time = 0; time < 3; time += 1) {
    newest = schema();
    gone.push(new WeakRef(newest));
    plans.add(`asked ${time}`, newest, plan(newest));
    expect(plans.find(`asked ${time}`, newest)).toEqual({ of: newest });
  }
  expect(plans.find('asked 1', newest)).toBeUndefined();
  await expect
    .poll(() => {
      collect();
      return gone.map((each) => each.deref() !== undefined);
    })
    .toEqual([false, false, true]);
});

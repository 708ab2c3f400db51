// Submits a new park for approval.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { newParkInput, type NewParkInput } from '#/features/park-facts/park-input.ts';
import type { Language } from '#/i18n/languages.ts';
import { retryWithoutResponse } from '#/data/retry-policy.ts';
import { request } from '#/data/request.ts';

interface SubmitPark {
  park: NewParkInput;
  /** The language of the name and address. */
  language: Language;
  /** Idempotency key, which is new for each completed form. */
  key: string;
}

/** @returns the ID of the new park @throws {AppError} */
async function submitPark({ park, language, key }: SubmitPark): Promise<number> {
  const input = v.parse(newParkInput, park);
  return Number(
    await request((client) =>
      client.rpc('submit_park', {
        p_name: input.name || input.address,
        p_city: input.city,
        p_address: input.address,
        p_lat: input.location.lat,
        p_long: input.location.long,
        p_language: language,
        p_size: input.size,
        p_materials: input.materials,
        p_shade: input.shade,
        p_has_facilities: input.has_facilities,
        p_key: key,
      }),
    ),
  );
}

export const useSubmitPark = () =>
  useMutation({ mutationFn: (park: SubmitPark) => retryWithoutResponse(() => submitPark(park)) });

// Encodes and decodes Phoenix messages as realtime-js does, in both versions of its serializer.
import * as v from 'valibot';
import { parseJson } from '#/host/lib/json-problem.ts';

export interface Message {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
}

/** Messages are JSON objects in 1.0.0 and JSON arrays in 2.0.0. */
export type Version = '1.0.0' | '2.0.0';

const text = v.pipe(v.string(), v.maxLength(255));
const reference = v.optional(v.nullable(text), null);
const objectForm = v.object({
  join_ref: reference,
  ref: reference,
  topic: text,
  event: text,
  payload: v.optional(v.unknown(), {}),
});
const arrayForm = v.tuple([v.nullable(text), v.nullable(text), text, text, v.unknown()]);

/** Decodes those parts of a binary broadcast (type 3) that the response repeats. */
function decodeBinary(frame: Buffer): Message | null {
  if (frame.length < 7 || frame[0] !== 3) return null;
  let at = 7;
  const [joinRef, ref, topic] = [1, 2, 3].map((index) => {
    const length = frame[index] ?? 0;
    at += length;
    return frame.subarray(at - length, at).toString('utf8');
  });
  if (!topic) return null;
  return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: {} };
}

export function decode(version: Version, frame: Buffer, binary: boolean): Message | null {
  if (binary) return decodeBinary(frame);
  let value: unknown;
  try {
    value = parseJson(frame.toString('utf8'));
  } catch {
    return null;
  }
  if (version === '1.0.0') {
    const { success, output } = v.safeParse(objectForm, value);
    if (!success) return null;
    const { join_ref: joinRef, ref, topic, event, payload } = output;
    return { joinRef, ref, topic, event, payload };
  }
  const { success, output } = v.safeParse(arrayForm, value);
  if (!success) return null;
  const [joinRef, ref, topic, event, payload] = output;
  return { joinRef, ref, topic, event, payload };
}

/** Encodes a message. The payload is JSON text, because a change is serialised once for all recipients. */
export function encode(
  version: Version,
  message: Omit<Message, 'payload'> & { payloadJson: string },
): string {
  const { joinRef, ref, topic, event, payloadJson } = message;
  const [t, e, r] = [topic, event, ref].map((part) => JSON.stringify(part));
  return version === '1.0.0'
    ? `{"topic":${t},"event":${e},"payload":${payloadJson},"ref":${r}}`
    : `[${JSON.stringify(joinRef)},${r},${t},${e},${payloadJson}]`;
}

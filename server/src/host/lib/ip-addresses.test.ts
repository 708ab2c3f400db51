// Tests the subjects under which rate limits count IP addresses.
import { expect, test } from 'vitest';
import { ipSubject } from '#/host/lib/ip-addresses.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::a:b:c:d', '2001:db8:0:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0'],
  // Formats in which proxies write addresses.
  ['203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db8:1:2::6]:443', '2001:db8:1:2'],
  ['[2001:db8:1:2::6]', '2001:db8:1:2'],
  ['::FFFF:CB00:7109', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
  // A subject is returned unchanged, because functions forward a subject in place of an IP.
  ['2001:db8:1:2', '2001:db8:1:2'],
  ['', ''],
])('%s counts as %s', (ip, subject) => {
  expect(ipSubject(ip)).toBe(subject);
});

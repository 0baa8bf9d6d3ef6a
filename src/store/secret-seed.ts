/** `secret:NAME` → a seed from the environment variable NAME. The index keeps a salted check of it, never the value. */
import { createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { fail } from '../errors.ts';

export interface SecretCheck {
  readonly salt: string;
  readonly check: string;
}

export type Secret = `secret:${string}`;

export function isSecret(seed: unknown): seed is Secret {
  return typeof seed === 'string' && seed.startsWith('secret:');
}

/** What the kernel takes: the seed as it is, or 53 bits of the secret's hash. */
export function seedFrom(seed: number | Secret | undefined, option: string): number | undefined {
  if (!isSecret(seed)) return seed;
  const hash = createHmac('sha256', 'neardup seed').update(secretOf(seed, option)).digest();
  return Number(hash.readBigUInt64LE(0) >> 11n);
}

export function secretCheck(seed: Secret): SecretCheck {
  const salt = randomBytes(16);
  return { salt: salt.toString('hex'), check: slowHash(secretOf(seed, 'seed'), salt).toString('hex') };
}

export function requireSecret({ salt, check }: SecretCheck, seed: Secret, index: string, option: string): void {
  const given = slowHash(secretOf(seed, option), Buffer.from(salt, 'hex'));
  if (timingSafeEqual(given, Buffer.from(check, 'hex'))) return;
  fail('INDEX_OPTIONS', { index, differences: [`another secret seed than ${nameOf(seed)} holds now`] });
}

/** Slow on purpose: who finds the check must not find the secret by trying. */
function slowHash(value: string, salt: Uint8Array): Buffer {
  return scryptSync(value, salt, 32);
}

function secretOf(seed: Secret, option: string): string {
  const name = nameOf(seed);
  const value = process.env[name];
  if (value) return value;
  return fail('BAD_OPTION', {
    option,
    expected: `a whole number, or secret:NAME with the secret in the environment variable NAME (${name} is not set)`,
    got: seed,
  });
}

function nameOf(seed: Secret): string {
  return seed.slice('secret:'.length);
}

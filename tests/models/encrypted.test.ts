import { createDecipheriv } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { loadSecrets } from '../../models/secrets.ts';
import { makeSealer, seal, unseal } from '../../models/store/encrypted.ts';

describe('a sealed secret', () => {
  test('opens for the purpose that it was sealed for', () => {
    expect(unseal(seal({ token: 'xoxb-1' }, 'slack:T1'), 'slack:T1')).toEqual({ token: 'xoxb-1' });
  });

  test('is never the same text twice, and never contains its content', () => {
    const [one, two] = [seal('secret-word', 'a'), seal('secret-word', 'a')];
    expect(one.text).not.toBe(two.text);
    expect(JSON.stringify(one)).not.toContain('secret-word');
    expect(one.nonce).not.toBe(two.nonce);
  });

  test('is AES-256-GCM with a nonce of 96 bits and a tag of 128, as NIST SP 800-38D recommends', () => {
    const sealed = seal('x', 'a');
    const bytes = (text: string) => Buffer.from(text, 'base64').length;
    expect([bytes(sealed.nonce), bytes(sealed.tag)]).toEqual([12, 16]);
    expect(sealed.keyId).toMatch(/^[0-9a-f]{8}$/);
    const key = Buffer.from(loadSecrets().encryptionKey, 'hex');
    const opened = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.nonce, 'base64'))
      .setAAD(Buffer.from('a'))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    expect(opened.update(sealed.text, 'base64', 'utf8') + opened.final('utf8')).toBe('"x"');
  });

  test('does not open for another purpose, nor with a changed byte', () => {
    const sealed = seal('x', 'slack:T1');
    expect(() => unseal(sealed, 'slack:T2')).toThrow();
    expect(() => unseal({ ...sealed, text: Buffer.from('forged').toString('base64') }, 'slack:T1')).toThrow();
    expect(() => unseal({ ...sealed, keyId: '00000000' }, 'slack:T1')).toThrow(/does not have/);
  });
  test('opens with a retired key, which seals nothing new', () => {
    const [old, other] = ['1'.repeat(64), '2'.repeat(64)];
    const before = makeSealer(old).seal('x', 'a');
    const sealer = makeSealer(other, [old]);
    expect(sealer.unseal(before, 'a')).toBe('x');
    expect(() => sealer.unseal(before, 'b')).toThrow();
    expect(() => makeSealer(old).unseal(sealer.seal('x', 'a'), 'a')).toThrow(/does not have/);
    expect(() => makeSealer(other).unseal(before, 'a')).toThrow(/does not have/);
  });
});

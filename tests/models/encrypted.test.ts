import { describe, expect, test } from '@jest/globals';
import { seal, unseal } from '../../models/store/encrypted.ts';

describe('a secret at rest', () => {
  test('opens for what it was sealed for', () => {
    expect(unseal(seal({ token: 'xoxb-1' }, 'slack:T1'), 'slack:T1')).toEqual({ token: 'xoxb-1' });
  });

  test('is never the same text twice, and never holds what it hides', () => {
    const [one, two] = [seal('secret-word', 'a'), seal('secret-word', 'a')];
    expect(one.text).not.toBe(two.text);
    expect(JSON.stringify(one)).not.toContain('secret-word');
  });

  test('does not open for anything else, nor with a byte changed', () => {
    const sealed = seal('x', 'slack:T1');
    expect(() => unseal(sealed, 'slack:T2')).toThrow();
    expect(() => unseal({ ...sealed, text: Buffer.from('forged').toString('base64') }, 'slack:T1')).toThrow();
    expect(() => unseal({ ...sealed, keyId: '00000000' }, 'slack:T1')).toThrow(/does not hold/);
  });
});

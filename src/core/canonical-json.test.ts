import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, type Json } from './canonical-json.ts'

const double = (hex: string) => Buffer.from(hex, 'hex').readDoubleBE()

describe('canonical JSON', () => {
  test('writes the sample of RFC 8785, section 3.2.2, byte for byte', () => {
    const sample = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    const bytes =
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333' +
      '332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c' +
      '222f227d'
    expect(Buffer.from(canonicalJson(JSON.parse(sample))).toString('hex')).toBe(bytes)
  })

  test('sorts names by their UTF-16 units (section 3.2.3)', () => {
    const sample = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`
    expect([...canonicalJson(JSON.parse(sample)).matchAll(/:"([^"]+)"/g)].map((match) => match[1])).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s as %s (appendix B)', (hex, text) => {
    expect(canonicalJson(double(hex))).toBe(text)
  })

  test.each<[string, unknown]>([
    ['NaN', double('7fffffffffffffff')],
    ['Infinity', double('7ff0000000000000')],
    ['half a pair', '\ud800'],
    ['half a pair as a name', { '\udead': 1 }],
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['a hole', new Array(1)],
    ['a big integer', 1n],
    ['a date', new Date(0)],
    ['a function', () => 1],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value as Json)).toThrow(TypeError)
  })

  test('writes every text as JSON does, also in the fast way for plain ASCII', () => {
    const ascii = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code))
    for (const text of ['', ...ascii, ...ascii.map((char) => `a${char}b`)])
      expect(canonicalJson(text)).toBe(JSON.stringify(text))
  })

  test('is the same text whatever order the names came in, and parses to the same value', () => {
    const shuffled = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue() as fc.Arbitrary<Json>, {
      noNullPrototype: true,
    })
    fc.assert(
      fc.property(shuffled, (value) => {
        const text = canonicalJson(value)
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        expect(canonicalJson(reversed)).toBe(text)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })
})

import type { PaymentHeader } from '../../../src/payments/read/read-payment.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { Authorization } from './authorization.ts'
import { toBase64 } from './sign.ts'

type Malformed = { what: string; header: PaymentHeader }
type Way = readonly [what: string, change: (json: string, text: string) => string]

const WAYS: readonly [Way, ...Way[]] = [
  ['no base64', (_json, text) => `${text.slice(0, 40)},${text.slice(40)}`],
  ['another spelling of base64', (_json, text) => `${text} `],
  ['half a payment', (_json, text) => text.slice(0, 4 * Math.floor(text.length / 8))],
  ['a list', (json) => toBase64(`[${json}]`)],
  ['a version to come', (json) => toBase64(json.replace('"x402Version":', '"x402Version":9'))],
  ['a name twice', (json) => toBase64(json.replace('"payload":', '"payload":{},"payload":'))],
  ['a field too many', (json) => toBase64(json.replace('"authorization":', '"also":1,"authorization":'))],
  [
    'another network',
    (json) => toBase64(json.replaceAll('eip155:8453', 'eip155:1').replace('"base"', '"ether"')),
  ],
  ['no signature', (json) => toBase64(json.replace(/"signature":"0x[0-9a-f]+"/, '"signature":"0x"'))],
  ['a number that is none', (json) => toBase64(json.replace('"value":"', '"value":"0x'))],
]

/** A header that is nearly the one of a good payment. */
export function malform(random: Seeded, { header }: Authorization): Malformed {
  const [what, change] = random.pick(WAYS)
  const json = Buffer.from(header.text, 'base64').toString()
  return { what, header: { ...header, text: change(json, header.text) } }
}

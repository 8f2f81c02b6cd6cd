import { type Mutant, mutant } from './mutant.ts'

const READ = 'payments/read/read-payment.ts'
const READ_EVM = 'payments/read/evm/read-evm.ts'
const FIELDS = 'payments/read/evm/evm-authorization.ts'
const DIGEST = 'payments/read/evm/evm-digest.ts'
const JSON_TEXT = 'payments/read/bounded-json.ts'
const WALLETS = 'payments/read/evm/smart-wallet-signatures.ts'

/** In how a payment header is read. */
export const READER_MUTANTS: readonly Mutant[] = [
  mutant('the other signature of a message is taken too', [
    READ_EVM,
    "return signer.isLowS ? undefined : 'invalid_signature'",
    'return undefined',
  ]),
  mutant('any key may sign', [
    READ_EVM,
    'if (signer?.address === authorization.from) return',
    'if (signer) return',
  ]),
  mutant('a signature does not cover the time', [
    DIGEST,
    'putNumber(message, 5, authorization.validBefore)',
    "putNumber(message, 5, '0')",
  ]),
  mutant('an amount that was not signed', [
    FIELDS,
    "if (authorization.value !== ours.amount) return 'wrong_amount'",
    '',
  ]),
  mutant('the digest of a payment leaves out its signature', [
    READ_EVM,
    'validBefore, nonce, signature]))',
    'validBefore, nonce]))',
  ]),
  mutant('a problem of a payment is forgotten', [
    READ,
    'payload: v2 },\n      problem,',
    "payload: v2 },\n      problem: problem === 'wrong_amount' ? undefined : problem,",
  ]),
  mutant('a name may stand twice in a header', [
    JSON_TEXT,
    'isObject(value) && isUnambiguous(json, value) ? value : undefined',
    'isObject(value) ? value : undefined',
  ]),
  mutant('a payment may have more fields than it needs', [
    FIELDS,
    'if (!isObject(payload) || Object.keys(payload).length !== 2) return',
    'if (!isObject(payload)) return',
  ]),
  mutant('a wallet that cannot be asked has refused', [
    WALLETS,
    "throw unavailable('the chain cannot be asked about this wallet', cause)",
    'void cause\n      return false',
  ]),
  mutant('a suspended network is not supported', [
    READ,
    'if (!requirement) return',
    'if (!requirement || !offered) return',
  ]),
]

import { evmAddress, svmAddress } from './addresses.ts'
import { confirmationsText, httpRootList, httpUrlList, secretText, text, usdText } from './value-types.ts'
import { type Rules, variable } from './variable.ts'

const PLAY_MONEY = 'money is simulated there and must not reach a real address; the service makes its own'
const OWN_TOKEN = 'its local chain has a project token of its own'
const payTo: Rules = { requiredIn: ['live'], refusedIn: { sandbox: PLAY_MONEY, paper: PLAY_MONEY } }
const chainNode: Rules = { requiredIn: ['live'], loopbackOnlyIn: ['sandbox', 'paper'], isSecret: true }

/** Where money goes, and who moves and confirms it. */
export const PAYMENT_VARIABLES = {
  TOLLBOOK_PAY_TO_EVM: variable(evmAddress.optional(), 'Where USDC on Base goes', payTo),
  TOLLBOOK_PAY_TO_SVM: variable(svmAddress.optional(), 'Where USDC on Solana goes', payTo),
  TOLLBOOK_EVM_RPC_URL: variable(
    httpUrlList.default([]),
    'Base (8453) nodes, comma-separated, preferred first; in sandbox and paper mode it replaces both local chains, their wallets and their facilitator',
    chainNode,
  ),
  TOLLBOOK_SVM_RPC_URL: variable(
    httpUrlList.default([]),
    'Solana nodes, comma-separated, preferred first; in sandbox and paper mode as TOLLBOOK_EVM_RPC_URL',
    chainNode,
  ),
  TOLLBOOK_EVM_CONFIRMATIONS: variable(
    confirmationsText.default('1'),
    'Blocks on Base that must hold a payment, its own among them: `1`, or with more from a price on, `1,3@0.50,10@5`',
  ),
  TOLLBOOK_SVM_FINALIZED_FROM: variable(
    usdText.optional(),
    'Price in dollars from which a payment on Solana must be finalized, about 13 s; without it confirmed is enough',
  ),
  TOLLBOOK_PROJECT_TOKEN: variable(
    evmAddress.optional(),
    'Contract on Base of the token whose holders may sign in; without it live mode offers no sign-in',
    { refusedIn: { sandbox: OWN_TOKEN, paper: OWN_TOKEN } },
  ),
  TOLLBOOK_FACILITATORS: variable(
    httpRootList.default([]),
    'Facilitator addresses, comma-separated, primary first; without it sandbox and paper mode run one beside their local chains',
    // What is signed for the local chain would be good on the real one: no real facilitator may see it.
    { requiredIn: ['live'], loopbackOnlyIn: ['sandbox', 'paper'] },
  ),
  TOLLBOOK_FACILITATOR_KEY_ID: variable(
    text.optional(),
    'Name of the API key for the facilitator at api.cdp.coinbase.com',
    { pairedWith: ['TOLLBOOK_FACILITATOR_KEY'] },
  ),
  TOLLBOOK_FACILITATOR_KEY: variable(
    secretText.optional(),
    'Secret of that key: PEM of an EC P-256 or Ed25519 key, or base64 of an Ed25519 key',
    { pairedWith: ['TOLLBOOK_FACILITATOR_KEY_ID'], isSecret: true },
  ),
}

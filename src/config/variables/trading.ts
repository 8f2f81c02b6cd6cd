import { evmAddress } from './addresses.ts'
import { privateKey, secretText, wholeNumber } from './value-types.ts'
import { type Rules, variable } from './variable.ts'

const MAX_PAPER_USD = 1_000_000
const NO_REAL_ORDERS = 'no real order is sent there; only live mode trades with real money'

/** All three or none: shares that won become money through the relayer. */
const account: Rules = {
  pairedWith: ['TOLLBOOK_POLY_OWNER_KEY', 'TOLLBOOK_POLY_RELAYER_KEY', 'TOLLBOOK_POLY_RELAYER_ADDRESS'],
  refusedIn: { sandbox: 'the sandbox makes its own account', paper: NO_REAL_ORDERS },
}

/** What the bot trades with. */
export const TRADING_VARIABLES = {
  TOLLBOOK_POLY_OWNER_KEY: variable(
    privateKey.optional(),
    'Private key of the owner of the deposit wallet at Polymarket, 0x and 64 hex digits. It signs real orders; without it the bot trades on paper only',
    { ...account, isSecret: true },
  ),
  TOLLBOOK_POLY_RELAYER_KEY: variable(
    secretText.optional(),
    'Relayer API key of Polymarket, for making the deposit wallet and redeeming what was won',
    { ...account, isSecret: true },
  ),
  TOLLBOOK_POLY_RELAYER_ADDRESS: variable(
    evmAddress.optional(),
    'The address that the relayer key was made for',
    account,
  ),
  TOLLBOOK_PAPER_USD: variable(
    wholeNumber(1, MAX_PAPER_USD).default(1000),
    'What the paper account of the bot started with, in dollars',
  ),
}

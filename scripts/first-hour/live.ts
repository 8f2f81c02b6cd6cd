import type { Environment } from './clone.ts'

/** What an operator sets for live mode. Nobody has the keys of these addresses, and nobody listens at that port. */
export const LIVE: Environment = {
  TOLLBOOK_MODE: 'live',
  TOLLBOOK_BASE_URL: 'https://tollbook.example',
  TOLLBOOK_OPERATOR_KEY: 'first-hour-operator-key-0123456789abcdef',
  TOLLBOOK_PAY_TO_EVM: '0x000000000000000000000000000000000000dEaD',
  TOLLBOOK_PAY_TO_SVM: '1nc1nerator11111111111111111111111111111111',
  TOLLBOOK_EVM_RPC_URL: 'http://127.0.0.1:9',
  TOLLBOOK_SVM_RPC_URL: 'http://127.0.0.1:9',
  TOLLBOOK_FACILITATORS: 'http://127.0.0.1:9',
}

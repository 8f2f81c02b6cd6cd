/** The least that live mode starts with. */
export const liveEnvironment = {
  TOLLBOOK_MODE: 'live',
  TOLLBOOK_PAY_TO_EVM: `0x${'a'.repeat(40)}`,
  TOLLBOOK_PAY_TO_SVM: '1'.repeat(32),
  TOLLBOOK_BASE_URL: 'https://api.example.com/',
  TOLLBOOK_OPERATOR_KEY: '0123456789abcdef'.repeat(2),
  TOLLBOOK_FACILITATORS: 'https://one.example, https://two.example',
  TOLLBOOK_EVM_RPC_URL: 'https://base.example',
  TOLLBOOK_SVM_RPC_URL: 'https://solana.example',
}

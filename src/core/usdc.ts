/** Where USDC lives on the networks we are paid on; the sandbox plants its own at the same addresses. */
export const EVM_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const SVM_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

/** USDC on the networks we accept; the sandbox deploys its own token at the same addresses. */
export const EVM_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const SVM_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

import { expect, test } from 'vitest'
import { depositWalletOf } from './deposit-wallet.ts'

// As deriveUupsDepositWallet of @polymarket/builder-relayer-client 0.0.10 gives them for chain 137.
test.each([
  ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0xdf8b9E8f9AB23f261F6e1B171B7454ae6E46Ba76'],
  ['0x00000000000000000000000000000000000A11cE', '0x8342b4A24c6Fcf7A20e187fC8Fe3A838CD0dc61D'],
] as const)('the wallet of %s is where the official client looks for it', (owner, wallet) => {
  expect(depositWalletOf(owner)).toBe(wallet)
})

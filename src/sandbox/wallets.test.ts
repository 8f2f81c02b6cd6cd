import { expect, test } from 'vitest'
import type { EvmChain } from './chains/evm/chain.ts'
import type { SvmChain } from './chains/svm/chain.ts'
import { createWallets } from './wallets.ts'

const dead = () => Promise.reject(new Error('connect ECONNREFUSED'))
const deadEvm = {
  rpcUrl: 'http://127.0.0.1:1',
  ...{ fundUsdc: dead, fundProjectToken: dead, fundEth: dead },
} as unknown as EvmChain
const svm = { rpcUrl: 'http://127.0.0.1:2', fundUsdc: async () => {} } as unknown as SvmChain
const deadSvm = { ...svm, fundUsdc: dead } as unknown as SvmChain

test('a chain that has died keeps no wallet of the other one back', async () => {
  const wallet = await createWallets({ evm: deadEvm, svm }).fresh()
  expect([Object.keys(wallet), wallet.solana?.rpc_url]).toEqual([['solana'], svm.rpcUrl])
})

test('where no chain answers nothing is handed out, and it is said what to do', async () => {
  await expect(createWallets({ evm: deadEvm, svm: deadSvm }).fresh()).rejects.toMatchObject({
    code: 'upstream_unavailable',
    hint: expect.stringContaining('start the service again'),
  })
})

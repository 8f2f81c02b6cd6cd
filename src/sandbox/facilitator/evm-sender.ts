import type { FacilitatorEvmSigner } from '@x402/evm'
import type { Hex, VerifyTypedDataParameters } from 'viem'
import type { Secret } from '../../core/secret.ts'
import { CHAIN_ID } from '../chains/evm/anvil.ts'
import { createSerialQueue } from '../serial-queue.ts'

const LOOK_EVERY_MS = 20
const CONFIRM_LIMIT_MS = 30_000
const MAX_WAITING_SENDS = 1_000
/** Far above the price on an idle chain; a fixed value saves the call that would ask for it. */
const FEES = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }

/** Sends the facilitator's EVM transactions one at a time and assigns their nonces itself. */
export async function createEvmSender({
  rpcUrl,
  key,
}: {
  rpcUrl: string
  key: Secret
}): Promise<FacilitatorEvmSigner> {
  const [viem, { privateKeyToAccount }, { toFacilitatorEvmSigner }] = await Promise.all([
    import('viem'),
    import('viem/accounts'),
    import('@x402/evm'),
  ])
  const chain = viem.defineChain({
    id: CHAIN_ID,
    name: 'sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const account = privateKeyToAccount(key.reveal() as Hex)
  const client = viem
    .createWalletClient({ account, chain, transport: viem.http(rpcUrl), pollingInterval: LOOK_EVERY_MS })
    .extend(viem.publicActions)
  const inTurn = createNonces(() =>
    client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
  )
  return toFacilitatorEvmSigner(
    {
      address: account.address,
      // A call at the latest block sees that block's time, which is old on an idle chain.
      readContract: (call) => client.readContract({ ...call, args: call.args ?? [], blockTag: 'pending' }),
      verifyTypedData: (signed) => client.verifyTypedData(signed as VerifyTypedDataParameters),
      writeContract: (call) => inTurn((nonce) => client.writeContract({ ...call, ...FEES, nonce })),
      sendTransaction: (transaction) =>
        inTurn((nonce) => client.sendTransaction({ ...transaction, ...FEES, nonce })),
      waitForTransactionReceipt: (asked) => client.waitForTransactionReceipt(asked),
      getCode: (asked) => client.getCode(asked),
    },
    { confirmationTimeoutMs: CONFIRM_LIMIT_MS },
  )
}

/** After a failed send the nonce is read from the chain again: a gap would block every later transaction. */
function createNonces(readNonce: () => Promise<number>) {
  const queue = createSerialQueue({ maxWaiting: MAX_WAITING_SENDS })
  let next: number | undefined
  return <T>(send: (nonce: number) => Promise<T>): Promise<T> =>
    queue.run(async () => {
      const nonce = next ?? (await readNonce())
      next = undefined
      const sent = await send(nonce)
      next = nonce + 1
      return sent
    })
}

import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { createTollbook } from '../clients/ts/tollbook.ts' // in a project of your own: '@tollbook/client'

const baseUrl = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 4020}`

// A throw-away key with play money. Against a live service, your own key stands here.
const wallets = await fetch(`${baseUrl}/sandbox/wallets`).catch(() => {
  console.error(`nothing answers at ${baseUrl}: start it with npm start, or pass its address`)
  process.exit(1)
})
const { evm } = (await wallets.json()) as { evm?: { private_key: `0x${string}` } }
if (!evm) {
  console.error(`${baseUrl} hands out no wallet on Base: its chain does not run there, see npm start's log`)
  process.exit(1)
}

const wallet = new x402Client()
registerExactEvmScheme(wallet, { signer: privateKeyToAccount(evm.private_key) })

const tollbook = createTollbook({ baseUrl, wallet })
const { data, settlement } = await tollbook.get('/price/BTC?demo=0')
console.log(`BTC ${data.price_usd} USD at ${data.timestamp}, paid in transaction ${settlement?.transaction}`)

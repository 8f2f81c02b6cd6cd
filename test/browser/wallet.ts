import type { Page } from 'playwright-core'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export type WalletCall = { method: string; params?: readonly unknown[] }
type WalletError = { code: number; message: string }

/** A wallet as an extension puts it into a page: EIP-1193 in front, a key of viem behind. */
export type Wallet = {
  account: PrivateKeyAccount
  calls: WalletCall[]
  /** Set to make the next call of a method fail. */
  failures: Map<string, WalletError>
  chainId: string
  /** Changes a signature before the page gets it. */
  finish: (signature: string) => string
}

export function createWallet(): Wallet {
  return {
    account: privateKeyToAccount(generatePrivateKey()),
    calls: [],
    failures: new Map(),
    chainId: '0x1',
    finish: (signature) => signature,
  }
}

/** As `window.ethereum`. */
export async function injectWallet(page: Page, wallet: Wallet): Promise<void> {
  await page.exposeFunction('askWallet', (call: WalletCall) => answer(wallet, call))
  await page.addInitScript(`window.ethereum = ${providerText('askWallet')}`)
}

/** Announced by name (EIP-6963), beside others. */
export async function announceWallet(page: Page, wallet: Wallet, name: string, uuid: string): Promise<void> {
  const ask = `askWallet_${uuid}`
  await page.exposeFunction(ask, (call: WalletCall) => answer(wallet, call))
  const detail = `{ info: ${JSON.stringify({ uuid, name, icon: 'data:,', rdns: 'test' })}, provider: ${providerText(ask)} }`
  await page.addInitScript(`{
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: ${detail} }))
    addEventListener('eip6963:requestProvider', announce)
  }`)
}

/** Errors lose their code between the two worlds, so they travel as values. */
function providerText(ask: string): string {
  return `{
    async request(call) {
      const { result, error } = await window.${ask}(call)
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
  }`
}

async function answer(
  wallet: Wallet,
  call: WalletCall,
): Promise<{ result: unknown } | { error: WalletError }> {
  wallet.calls.push(call)
  const error = wallet.failures.get(call.method)
  wallet.failures.delete(call.method)
  return error ? { error } : { result: await resultOf(wallet, call) }
}

async function resultOf(wallet: Wallet, { method, params = [] }: WalletCall): Promise<unknown> {
  if (method === 'eth_requestAccounts') return [wallet.account.address]
  if (method === 'eth_chainId') return wallet.chainId
  if (method === 'wallet_switchEthereumChain') {
    wallet.chainId = (params[0] as { chainId: string }).chainId
    return null
  }
  if (method === 'eth_signTypedData_v4') {
    return wallet.finish(await wallet.account.signTypedData(JSON.parse(String(params[1]))))
  }
  throw new Error(`this wallet does not know ${method}`)
}

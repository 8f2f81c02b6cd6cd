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
  /** Methods that are not answered until `answer` is called. */
  silent: Set<string>
  answer: () => void
  chainId: string
  /** Says that it has switched, and has not. */
  isStuck: boolean
  /** Changes a signature before the page gets it. */
  finish: (signature: string) => string
}

export function createWallet(): Wallet {
  return {
    account: privateKeyToAccount(generatePrivateKey()),
    calls: [],
    failures: new Map(),
    silent: new Set(),
    answer: () => {},
    isStuck: false,
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
  if (wallet.silent.has(call.method))
    await new Promise<void>((resolve) => {
      wallet.answer = resolve
    })
  const error = wallet.failures.get(call.method)
  wallet.failures.delete(call.method)
  return error ? { error } : { result: await resultOf(wallet, call) }
}

async function resultOf(wallet: Wallet, { method, params = [] }: WalletCall): Promise<unknown> {
  if (method === 'eth_requestAccounts') return [wallet.account.address]
  if (method === 'eth_chainId') return wallet.chainId
  if (method === 'wallet_switchEthereumChain') {
    if (!wallet.isStuck) wallet.chainId = (params[0] as { chainId: string }).chainId
    return null
  }
  if (method === 'eth_signTypedData_v4') {
    return wallet.finish(await wallet.account.signTypedData(JSON.parse(String(params[1]))))
  }
  if (method === 'personal_sign') {
    const raw = params[0] as `0x${string}`
    return wallet.finish(await wallet.account.signMessage({ message: { raw } }))
  }
  throw new Error(`this wallet does not know ${method}`)
}

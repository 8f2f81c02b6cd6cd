import { findWallets, injectedWallet } from './wallet.js'

/**
 * Fills the list of wallets and shows it where there are several to choose from.
 * @returns {() => import('./wallet.js').Wallet | undefined} the one that is chosen
 */
export function createWalletPicker() {
  /** @type {Map<string, import('./wallet.js').Wallet>} */
  const wallets = new Map()
  const list = /** @type {HTMLSelectElement} */ (document.getElementById('wallets'))
  findWallets((wallet, name, id) => {
    wallets.set(id, wallet)
    list.add(new Option(name, id))
    document.getElementById('choice').hidden = wallets.size < 2
  })
  return () => wallets.get(list.value) ?? injectedWallet()
}

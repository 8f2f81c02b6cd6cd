import { type Html, html } from '../frame/html.ts'

/** Filled by `wallet-picker.js`, and shown where there are several. */
export const walletChoice: Html = html`<p id="choice" class="field" hidden><label for="wallets">Wallet</label> <select id="wallets"></select></p>`

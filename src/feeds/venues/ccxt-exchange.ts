import type ccxt from 'ccxt'

type Exchanges = typeof ccxt.pro

/**
 * ccxt exports its hundred exchanges only all together (0.6 s and 103 MB); the files of our two alone cost 0.13 s and
 * 39 MB. The version is pinned, so the place of the files is too.
 */
export async function loadExchange<N extends 'binance' | 'coinbaseexchange'>(name: N): Promise<Exchanges[N]> {
  const file = new URL(`./src/pro/${name}.js`, import.meta.resolve('ccxt'))
  const { default: exchange } = (await import(file.href)) as { default: Exchanges[N] }
  return exchange
}

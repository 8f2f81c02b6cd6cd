import { expect, test } from 'vitest'
import { challengeText } from '../../src/account/challenge-text.ts'
import { startSeller } from '../../src/testing/payments/hostile-seller.ts'
import { signIn } from './sign-in.ts'

const WALLET = `0x${'ab'.repeat(20)}`
const textFor = (baseUrl: string, wallet = WALLET) =>
  challengeText(baseUrl, { nonce: 'a1b2c3d4e5', wallet, issuedMs: 0, expiresMs: 300_000 })

/** Signs in at a service that hands out `text`, and tells what was signed. */
async function signInWith(textOf: (url: string) => string) {
  await using service = await startSeller({
    toAsking: (response, { method, headers }) => {
      const message = textOf(`http://${headers.host}`)
      const made = { token: 'a.b.c', expires_in: 3_600, tier: 'holder' }
      response.end(JSON.stringify(method === 'POST' ? made : { message, nonce: 'a1b2c3d4e5' }))
    },
  })
  const signed: string[] = []
  const signMessage = async ({ message }: { message: string }) => `0x${signed.push(message)}`
  const outcome = await signIn({ baseUrl: service.url, account: { address: WALLET, signMessage } }).catch(
    (error) => error,
  )
  return { outcome, signed }
}

test('signs the text of this service, by whichever of its names', async () => {
  for (const textOf of [textFor, (url: string) => textFor(url.replace('127.0.0.1', 'localhost'))]) {
    const { outcome, signed } = await signInWith(textOf)
    expect(outcome).toEqual({ token: 'a.b.c', expiresInS: 3_600, tier: 'holder' })
    expect(signed).toHaveLength(1)
  }
})

test.each<[string, (url: string) => string]>([
  ['another site', () => textFor('https://exchange.test')],
  ['another port', (url) => textFor(`${url}1`.replace(/\d+$/, '1'))],
  ['another wallet', (url) => textFor(url, `0x${'cd'.repeat(20)}`)],
  ['no site at all', () => 'I owe you everything'],
])('a text for %s is not signed', async (_whose, textOf) => {
  const { outcome, signed } = await signInWith(textOf)
  expect(outcome).toMatchObject({ kind: 'terms', message: expect.stringContaining('nothing was signed') })
  expect(signed).toEqual([])
})

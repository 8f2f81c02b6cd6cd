import { expect, test } from 'vitest'
import { TOKEN } from '../../../testing/tokens/hand-made-tokens.ts'
import { createScriptedUpstream } from '../../../testing/upstreams/scripted-upstream.ts'
import { createBlockscout } from '../../../upstreams/blockscout/client.ts'
import { createExplorerHolders } from './explorer-holders.ts'

const HOLDER = `0x${'7'.repeat(40)}`
const holdersOf = (token: unknown, items: unknown[]) => {
  const { ask } = createScriptedUpstream(({ path }) =>
    path.endsWith('/holders') ? { items, next_page_params: null } : token,
  )
  return createExplorerHolders(createBlockscout({ ask }))(TOKEN)
}
const row = (value: string, is_contract: unknown = false) => ({
  address: { hash: HOLDER, is_contract },
  value,
})

test('amounts become shares of the supply', async () => {
  const token = { address_hash: TOKEN, total_supply: '3000000000000000000', holders_count: '42' }
  expect(await holdersOf(token, [row('1000000000000000000'), row('1', true)])).toEqual({
    count: 42,
    holders: [
      { address: HOLDER, share: 0.333333333, isContract: false, isLocked: undefined },
      { address: HOLDER, share: 0, isContract: true, isLocked: undefined },
    ],
  })
})
test('nobody holds more than all', async () => {
  const token = { address_hash: TOKEN, total_supply: '1', holders_count: null }
  expect((await holdersOf(token, [row('99')]))?.holders).toMatchObject([{ share: 1 }])
})
test.each([null, '0', 'NaN'])('a supply of %j leaves the shares unknown', async (total_supply) => {
  expect(await holdersOf({ address_hash: TOKEN, total_supply, holders_count: '5' }, [row('1')])).toEqual({
    count: 5,
    holders: undefined,
  })
})
test('a token that the explorer does not know has no holders', async () => {
  expect(await holdersOf(undefined, [])).toBeUndefined()
})

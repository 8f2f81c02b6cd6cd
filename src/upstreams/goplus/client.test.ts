import { describe, expect, it } from 'vitest'
import { createScriptedUpstream } from '../../testing/upstreams/scripted-upstream.ts'
import { OTHER_TOKEN, security, securityReply, TOKEN } from '../../testing/upstreams/token-payloads.ts'
import { createGoPlus } from './client.ts'

const read = (answer: unknown, address = TOKEN) =>
  createGoPlus(createScriptedUpstream(() => answer)).tokenSecurity(address)
const readToken = (changed: Readonly<Record<string, unknown>>) =>
  read(securityReply({ [TOKEN]: security(changed) }))

describe('GoPlus', () => {
  it('asks about one token of Base', async () => {
    const upstream = createScriptedUpstream(() => securityReply())
    await createGoPlus(upstream).tokenSecurity(TOKEN.toUpperCase().replace('0X', '0x'))
    expect(upstream.asked).toEqual([
      { path: '/api/v1/token_security/8453', query: { contract_addresses: TOKEN } },
    ])
  })

  it('tells what was found; what is missing is unknown', async () => {
    expect(await readToken({})).toMatchObject({
      buyTax: 0.05,
      sellTax: undefined,
      canMint: true,
      canBlacklist: true,
      isProxy: false,
      hasHiddenOwner: false,
      canSelfDestruct: undefined,
      isTrusted: undefined,
      creatorShare: 0.025,
      holders: [
        { label: 'team', isContract: false, share: 0.025 },
        { label: undefined, isContract: true },
      ],
      lpHolders: [{ isLocked: true, share: 1 }],
      pools: [{ name: 'UniswapV3', liquidityUsd: 54_000.25 }],
    })
  })

  it.each([
    ['1', true],
    ['0', false],
    ['', undefined],
    [undefined, undefined],
    [null, undefined],
    ['2', undefined],
    ['-1', undefined],
    [1, true],
  ])('takes the flag %j as %j', async (sent, flag) => {
    expect((await readToken({ is_honeypot: sent }))?.isHoneypot).toBe(flag)
  })

  it.each([
    ['0.05', 0.05],
    ['1', 1],
    ['1.2', 1],
    ['0', 0],
    ['', undefined],
    ['-0.1', undefined],
    ['Unknown', undefined],
  ])('takes the tax %j as %j', async (sent, tax) => {
    expect((await readToken({ sell_tax: sent }))?.sellTax).toBe(tax)
  })

  it.each([
    ['', 'none'],
    ['0x0000000000000000000000000000000000000000', 'none'],
    ['0x000000000000000000000000000000000000dEaD', 'none'],
    [undefined, undefined],
    ['somebody', undefined],
    [OTHER_TOKEN, OTHER_TOKEN],
  ])('takes the owner %j as %j', async (sent, owner) => {
    expect((await readToken({ owner_address: sent }))?.owner).toBe(owner)
  })

  it('leaves out holders that break the format', async () => {
    const holder = { address: TOKEN, percent: '0.5' }
    const found = await readToken({ holders: [holder, { ...holder, percent: '' }, null], lp_holders: 'none' })
    expect(found?.holders).toMatchObject([{ share: 0.5, isLocked: undefined }])
    expect(found?.lpHolders).toBeUndefined()
  })

  it.each([
    ['1', 1, false],
    ['1.0005', 1, false],
    ['1.2', 1, true],
    ['999999', 1, true],
    ['1e7', undefined, false],
  ])('takes %s of the supply as %s, and as more than all: %s', async (percent, share, isOverheld) => {
    const creator = await readToken({ creator_percent: percent })
    expect(creator).toMatchObject({ creatorShare: share, isOverheld })
    expect(await readToken({ owner_percent: percent })).toMatchObject({ ownerShare: share, isOverheld })
    const held = await readToken({ holders: [{ address: TOKEN, percent }] })
    expect(held?.holders?.[0]?.share).toBe(share)
    expect(held?.isOverheld).toBe(isOverheld)
  })

  it('does not know every token, and says so', async () => {
    expect(await read(securityReply({}))).toBeUndefined()
    expect(await read(securityReply({}, { result: null }))).toBeUndefined()
    expect(await read(securityReply(), OTHER_TOKEN)).toBeUndefined()
    expect(await read(securityReply(undefined, { code: 2 }))).toBeDefined()
  })

  it.each([
    [
      { code: 4029, message: 'too many requests', result: null },
      { fault: 'refused', status: 429 },
    ],
    [
      { code: 2004, message: 'contract address format error!' },
      { fault: 'refused', status: 400 },
    ],
    [{ message: 'OK', result: {} }, { fault: 'malformed' }],
    [securityReply({ [TOKEN]: 'safe' }), { fault: 'malformed' }],
  ])('refuses %j', async (reply, error) => {
    await expect(read(reply)).rejects.toMatchObject(error)
  })
})

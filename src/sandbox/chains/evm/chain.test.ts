import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, encodeFunctionData, erc20Abi, http } from 'viem'
import { base } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { usd } from '../../../core/money.ts'
import { type EvmChain, startEvmChain } from './chain.ts'
import { type Address, abiOf, EVM_CONTRACTS } from './contracts.ts'

const HOLDER = '0x00000000000000000000000000000000000A11cE'
const freshDir = () => mkdtempSync(join(tmpdir(), 'tollbook-evm-'))
const start = (dataDir: string, binary?: string) =>
  startEvmChain({ dataDir, log: silentLog, ...(binary && { binary }) })
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`).length > 0
const clientOf = ({ rpcUrl }: EvmChain) => createPublicClient({ chain: base, transport: http(rpcUrl) })

/** A parent that starts the chain, tells its process number and then waits to be killed. */
function startParent(dataDir: string): ChildProcess {
  const module = new URL('./chain.ts', import.meta.url).href
  const log = new URL('../../../core/log.ts', import.meta.url).href
  const code = `import { startEvmChain } from '${module}'; import { silentLog } from '${log}'
    const chain = await startEvmChain({ dataDir: ${JSON.stringify(dataDir)}, log: silentLog })
    await chain.fundUsdc('${HOLDER}', 7n); console.log(chain.pid); setInterval(() => {}, 1000)`
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function readPid(parent: ChildProcess): Promise<number> {
  const [chunk] = await once(parent.stdout ?? parent, 'data')
  return Number(String(chunk))
}

describe('the EVM chain', () => {
  test('holds USDC, the project token and Multicall3 where clients expect them', async () => {
    const chain = await start(freshDir())
    await Promise.all([chain.fundUsdc(HOLDER, usd('1.5')), chain.fundUsdc(HOLDER, usd('0.5'))])
    await chain.fundProjectToken(HOLDER, 100n)
    await chain.fundEth(HOLDER, 5n)
    const client = clientOf(chain)
    const usdc = { address: EVM_CONTRACTS.TestUsdc, abi: erc20Abi } as const
    const token = { address: EVM_CONTRACTS.ProjectToken, abi: erc20Abi } as const
    const values = await client.multicall({
      allowFailure: false,
      contracts: [
        { ...usdc, functionName: 'symbol' },
        { ...usdc, functionName: 'decimals' },
        { ...usdc, functionName: 'balanceOf', args: [HOLDER] },
        { ...token, functionName: 'symbol' },
        { ...token, functionName: 'balanceOf', args: [HOLDER] },
      ],
    })
    expect(values).toEqual(['USDC', 6, 2_000_000n, 'TOLL', 100n * 10n ** 18n])
    expect(await client.getBalance({ address: HOLDER })).toBe(5n)
    expect(await client.getChainId()).toBe(8453)
    const { number, timestamp } = await client.getBlock()
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(5)
    await chain.mine(3)
    expect((await client.getBlock()).number).toBe(number + 3n)
    await chain.close()
    expect(isRunning(chain.pid)).toBe(false)
  })

  test('its USDC is paused and blacklists as the real one does, and only by its keeper', async () => {
    const chain = await start(freshDir())
    await chain.fundUsdc(HOLDER, usd('1'))
    const [keeper] = (await chain.rpc('eth_accounts')) as Address[]
    const usdc = { address: EVM_CONTRACTS.TestUsdc, abi: abiOf('TestUsdc') } as const
    const client = clientOf(chain)
    const call = (functionName: string, args: unknown[], account = keeper) =>
      client.simulateContract({ ...usdc, functionName, args, ...(account && { account }) })
    const send = async (functionName: string, args: unknown[] = []) => {
      const data = encodeFunctionData({ abi: usdc.abi, functionName, args })
      await chain.rpc('eth_sendTransactionSync', { from: keeper, to: usdc.address, data })
    }
    await expect(call('pause', [], HOLDER)).rejects.toThrow('Pausable: caller is not the pauser')
    await expect(call('blacklist', [HOLDER], HOLDER)).rejects.toThrow(
      'Blacklistable: caller is not the blacklister',
    )
    await send('pause')
    await expect(call('transfer', [keeper, 1n], HOLDER)).rejects.toThrow('Pausable: paused')
    await send('unpause')
    await send('blacklist', [HOLDER])
    const isRefused = 'Blacklistable: account is blacklisted'
    await expect(call('transfer', [keeper, 1n], HOLDER)).rejects.toThrow(isRefused)
    await expect(call('transfer', [HOLDER, 0n])).rejects.toThrow(isRefused)
    await send('unBlacklist', [HOLDER])
    expect((await call('transfer', [keeper, 1n], HOLDER)).result).toBe(true)
    await chain.close()
  })

  test('keeps its state over a restart', async () => {
    const dataDir = freshDir()
    const first = await start(dataDir)
    await first.fundUsdc(HOLDER, usd('3'))
    await first.close()
    const second = await start(dataDir)
    expect(await second.usdcOf(HOLDER)).toBe(usd('3'))
    await second.close()
  })

  test('stops the chain of a killed run, and keeps its state', async () => {
    const dataDir = freshDir()
    const parent = startParent(dataDir)
    const orphan = await readPid(parent)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    expect(isRunning(orphan)).toBe(true)
    const chain = await start(dataDir)
    expect(isRunning(orphan)).toBe(false)
    expect(await chain.usdcOf(HOLDER)).toBe(7n)
    await chain.close()
  })

  test('does not stop a process that is not its orphan', async () => {
    const dataDir = freshDir()
    const parent = startParent(dataDir)
    const pid = await readPid(parent)
    await expect(start(dataDir)).rejects.toThrow(/already runs a sandbox/)
    expect(isRunning(pid)).toBe(true)
    const other = freshDir()
    writeFileSync(join(other, 'anvil.pid'), JSON.stringify({ pid, parent: 1 }))
    const chain = await start(other)
    expect(isRunning(pid)).toBe(true)
    await chain.close()
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await (await start(dataDir)).close()
    expect(isRunning(pid)).toBe(false)
  })

  test.each(['/bin/false', '/no/such/anvil'])('says what to do where %s is all there is', async (binary) => {
    const dataDir = freshDir()
    await expect(start(dataDir, binary)).rejects.toThrow(
      /^the local EVM chain does not start \(.+glibc 2\.35/,
    )
    expect(existsSync(join(dataDir, 'anvil.pid'))).toBe(false)
  })

  test('starts empty when its state is damaged', async () => {
    const dataDir = freshDir()
    writeFileSync(join(dataDir, 'evm-state.json'), '{"block"')
    const chain = await start(dataDir)
    expect(await chain.usdcOf(HOLDER)).toBe(0n)
    await chain.close()
  })

  test('ends without a fault where its folder was removed before it', async () => {
    const dataDir = freshDir()
    const chain = await start(dataDir)
    rmSync(dataDir, { recursive: true })
    await chain.close()
    expect(isRunning(chain.pid)).toBe(false)
  })
})

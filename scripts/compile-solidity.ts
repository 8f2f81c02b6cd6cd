/**
 * Compiles `solidity/*.sol` into what the sandbox chain plants. `--check` only reports whether the artifact is stale.
 * The compiler is heavy (WebAssembly, several seconds), so the artifact is kept in the repository.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import solc from 'solc'

type Compiled = { abi: object[]; evm: { deployedBytecode: { object: string } } }
type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, Compiled>>
}

const SOURCES = new URL('../solidity/', import.meta.url)
const ARTIFACT = fileURLToPath(new URL('../src/sandbox/chains/evm/contracts.json', import.meta.url))
/** Made by a factory on chain, or part of others: never planted. */
const NOT_PLANTED = new Set(['SmartWallet', 'Signatures', 'PlayToken', 'EchoedLogs'])

const sources = readdirSync(SOURCES)
  .filter((name) => name.endsWith('.sol'))
  .sort()
  .map((name) => [name, readFileSync(new URL(name, SOURCES), 'utf8')] as const)

const artifact = {
  compiler: solc.version(),
  sources: Object.fromEntries(sources.map(([name, text]) => [name, sha256(text)])),
  contracts: compile(),
}

if (!process.argv.includes('--check')) {
  writeFileSync(ARTIFACT, `${JSON.stringify(artifact, null, 2)}\n`)
} else if (!isDeepStrictEqual(JSON.parse(readFileSync(ARTIFACT, 'utf8')), artifact)) {
  console.error('src/sandbox/chains/evm/contracts.json is stale: run npm run solidity')
  process.exitCode = 1
}

function compile() {
  const output: Output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: Object.fromEntries(sources.map(([name, content]) => [name, { content }])),
        settings: {
          optimizer: { enabled: true, runs: 200 },
          viaIR: true,
          evmVersion: 'cancun',
          // Without the metadata trailer the same code gives the same bytes wherever it is compiled.
          metadata: { appendCBOR: false, bytecodeHash: 'none' },
          outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
        },
      }),
    ),
  )
  for (const { formattedMessage } of output.errors ?? []) console.error(formattedMessage)
  if (output.errors?.length) process.exit(1)
  const contracts = Object.values(output.contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(
    contracts
      .filter(([name]) => !NOT_PLANTED.has(name))
      .map(([name, { abi, evm }]) => [name, { runtime: `0x${evm.deployedBytecode.object}`, abi }]),
  )
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

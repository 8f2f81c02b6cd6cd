/** What a wallet signs to prove who it is for one call: the x402 extension sign-in-with-x, by CAIP-122. */
export type SiwxMessage = {
  domain: string
  address: string
  statement?: string | undefined
  uri: string
  version: string
  chainId: string
  nonce: string
  issuedAt: string
  expirationTime?: string | undefined
  notBefore?: string | undefined
  requestId?: string | undefined
  resources?: readonly string[] | undefined
}

/** EIP-4361 on Base, Sign-In with Solana there. Without a statement they differ by an empty line. */
export function siwxText(message: SiwxMessage): string {
  const [namespace, chain] = message.chainId.split(':')
  const isSolana = namespace === 'solana'
  const { domain, address, statement, expirationTime, notBefore, requestId, resources = [] } = message
  return [
    `${domain} wants you to sign in with your ${isSolana ? 'Solana' : 'Ethereum'} account:`,
    address,
    '',
    ...(statement ? [statement, ''] : isSolana ? [] : ['']),
    `URI: ${message.uri}`,
    `Version: ${message.version}`,
    `Chain ID: ${chain}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt}`,
    ...(expirationTime ? [`Expiration Time: ${expirationTime}`] : []),
    ...(notBefore ? [`Not Before: ${notBefore}`] : []),
    ...(requestId ? [`Request ID: ${requestId}`] : []),
    ...(resources.length > 0 ? ['Resources:', ...resources.map((each) => `- ${each}`)] : []),
  ].join('\n')
}

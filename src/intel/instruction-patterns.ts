// How texts look that speak to a model. They are looked for in small letters with one space between words.

const anyOf = (...patterns: readonly string[]) => `(?:${patterns.join('|')})`
/** Up to `count` words between two others. */
const gap = (count: number) => `(?: [^ ]+){0,${count}}? `
const MODEL = anyOf(
  'ais?',
  'llms?',
  '(?:large )?language models?',
  '(?:ai |autonomous )?(?:assistants?|agents?|models?|bots?)',
  'chatbots?',
  'chatgpt',
  'gpt ?\\d*',
  'claude',
  'gemini',
  'copilot',
)
const PERSON = anyOf(
  'users?',
  'humans?',
  'owners?',
  'operators?',
  'customers?',
  'anyone',
  'anybody',
  'people',
  'person',
)
const RULES = anyOf(
  'instructions?',
  'prompts?',
  'rules?',
  'guidelines?',
  'directions?',
  'directives?',
  'messages?',
  'context',
  'polic(?:y|ies)',
  'constraints?',
  'safeguards?',
  'guardrails?',
  'training',
  'programming',
)
const SECRET = anyOf(
  'private keys?',
  'secret keys?',
  'secret phrases?',
  'seed phrases?',
  'recovery phrases?',
  'mnemonics?',
  'api keys?',
  'passwords?',
  'credentials?',
  'environment variables?',
  'env vars?',
  'chat history',
  'conversation history',
  'wallet keys?',
  'wallet secrets?',
)
const MONEY = anyOf(
  'usdc',
  'usdt',
  'eth',
  'ether',
  'sol',
  'btc',
  'bitcoin',
  'funds?',
  'balances?',
  'tokens?',
  'money',
  'assets?',
  'savings',
  'crypto',
  'holdings',
  'wallet',
  'allowance',
)
const THIS = anyOf('this', 'these', 'our', 'my', 'us')
const OFFER = anyOf(
  'service',
  'api',
  'endpoint',
  'tool',
  'server',
  'resource',
  'listing',
  'entry',
  'result',
  'provider',
  'token',
  'coin',
  'one',
  'url',
  'site',
)

const FORGET = [
  `(?:ignore|disregard|forget|override|overrule|discard|neglect|bypass|abandon|set aside)${gap(2)}(?:previous|prior|above|earlier|preceding|existing|other|all|any|your|the|system|every|safety|initial|original)${gap(3)}?${RULES}`,
  `(?:ignore|disregard|forget) (?:everything|anything|all)(?: (?:that|you|i|was|were|else|of)){0,6} ?(?:above|before|previously|earlier|so far|told|said|know|learned|instructed)`,
  `(?:ignore|disregard|forget) (?:the|all|everything) (?:of the )?above`,
  `do not (?:follow|obey)${gap(2)}(?:previous|prior|system|other|your|the)${gap(2)}?${RULES}`,
  '(?:new|updated|real|actual|hidden|secret|override) (?:system )?(?:instructions?|prompt|directives?)(?: (?:follow|are|is|for you|below|begin|start|from))',
  `(?:stop|cease|quit) (?:following|obeying|applying|respecting)${gap(2)}(?:previous|prior|earlier|system|other|your|the|all|any)${gap(2)}?${RULES}`,
  '(?:previous|prior|earlier|preceding|existing|above) (?:guidance|instructions?|rules?|prompts?|directions?|guidelines?|directives?) (?:is|are) (?:now |hereby )?(?:void|invalid|obsolete|cancelled|canceled|revoked|superseded|outdated|suspended|replaced)',
  '(?:stop|abandon|drop|pause) your (?:current |present |original )?(?:task|job|work|goal)',
  'system (?:prompt|message|override|instruction|notice)',
  'end of (?:the )?(?:system )?(?:prompt|instructions|context|user input)',
]

const WORD_OF_AUTHORITY = [
  '(?:message|order|command|directive|note|notice) from (?:your|the) (?:developers?|creators?|owners?|operators?|admin|administrators?|system|users?)',
  '(?:begin|start|admin|root|system|security|policy|emergency) override',
  '(?:this|it|which) overrides? (?:all|any|your|the|every)',
  '(?:treat|read|parse|interpret|regard) (?:this|the following|it)(?: [^ ]+)? as (?:an? )?(?:system|developer|admin|instructions?|commands?|orders?)',
  `(?:you (?:have been|are|were)|(?:the|your) ${PERSON} (?:has|have)) (?:already |been |pre ){0,6}(?:authorized|approved|preapproved|permitted|cleared|consented|agreed|instructed|told)`,
  `${PERSON} (?:has|have) (?:already )?(?:pre ?)?(?:approved|authorized) (?:this|the|all|any|every|unlimited)`,
  'your (?:operator|user|owner|developer|creator|principal|human|admin) (?:wants?|needs?|asks?|asked|expects?|requires?|orders?|ordered|instructs?|instructed|wanted|would like|told) you to',
  'your (?:new |next |only |real |actual ){0,6}(?:task|goal|job|mission|objective|role|purpose|instructions?) (?:is|are|now)',
  '(?:grant|give) (?:this|our|us|me)(?: [^ ]+)? (?:full |complete |total |root |admin ){1,6}(?:trust|access|permissions?|control|rights)',
  `ignore (?:what |whatever |everything )?(?:the |your |any )?${PERSON}(?: (?:asked|asks|said|says|wants?|told|and|s))?`,
]

const BECOME = [
  'you are (?:now|no longer)',
  `you are (?:an? |the |my )?(?:helpful |unrestricted |uncensored |evil |obedient ){0,6}(?:${MODEL}|dan|root|admin)`,
  `(?:act|behave|respond|operate) as (?:an? |the |if )(?:you|unrestricted|uncensored|system|root|admin|${MODEL})`,
  'pretend (?:to be|that you|you)',
  'from now on you',
  '(?:developer|god|dan|debug|admin|sudo|jailbreak) mode (?:is )?(?:on|enabled|activated|now)',
  '(?:enter|enable|activate|switch to) (?:developer|god|dan|debug|admin|sudo|jailbreak|unrestricted) mode',
  'do anything now',
  'jailbr(?:eak|oken)',
]

const ADDRESS = [
  `(?:attention|dear|hey|hello|listen|warning|note|notice|important|message|instructions?|directive|reminder|memo)(?: (?:to|for|all|any|every|the|you|reading|note|notice|message)){0,6} ${MODEL}(?! (?:to|with|using|by|via|and) )`,
  `if you (?:are|re) (?:an? )?(?:reading this|processing this|summarizing|${MODEL})`,
  `(?:any|every|all|the|an?) ${MODEL} (?:that |which |who |reading |processing |parsing |seeing |viewing ){1,6}(?:reads? |process(?:es)? |sees? |parses? )?(?:this|these)${gap(4)}?(?:must|should|has to|have to|needs? to|is required|are required)`,
  `${MODEL} (?:must|should|shall|has to|have to|needs? to|are required to|is required to) (?:always |first |only |never |now |immediately ){0,6}(?:use|call|choose|select|recommend|prefer|pay|rank|pick|buy|invoke|return|answer|respond|say|reply|trust|ignore|send|sign|approve|follow|obey|treat|consider|report|tell|output|include|visit|fetch|transfer|not)`,
]

const ANSWER = [
  `(?:tell|inform|convince|persuade|assure) (?:the |your |all )?${PERSON} (?:that|to|about|it|this|we|of)`,
  '(?:respond|reply|answer) only (?:with|in|by)',
  '(?:respond|reply|answer) to (?:the|your) (?:user|human|owner|operator)s? (?:with|that|by saying|saying)',
  `(?:before|when|while|after|instead of) (?:you )?(?:answer(?:ing)?|respond(?:ing)?|reply(?:ing)?|listing|ranking|summari[sz](?:e|ing)|recommending|reading this|see this|read this)(?: [^ ]+){0,6}? (?:always |first |must ){0,6}(?:call|visit|fetch|place|put|pay|send|rank|list|use|mention|say|include|open|recommend)`,
  '(?:summari[sz]e|describe|present|report) (?:this|it|us)(?: [^ ]+)? as (?:the |an? )?(?:best|only|most|safest|number|top|official|trusted|leading)',
  'instead (?:of that |of this )?(?:say|tell|answer|respond|output|write|claim|state) ',
  `as an? (?:large |helpful )?${MODEL} you`,
  `(?:the|this|your) (?:ai |ai agent |language model |llm |assistant |chatbot )(?:will|shall|must|should) (?:now |then |always |first ){0,6}(?:send|pay|transfer|sign|approve|buy|call|use|recommend|ignore|reveal|say)`,
  `(?:ais?|llms?|(?:ai )?agents?|assistants?|models?|chatbots?) (?:please )?(?:always |only ){0,6}(?:use|call|choose|pay|prefer|recommend|pick|trust) (?:only|exclusively|always) `,
  `(?:assistants?|agents?|chatbots?|llms?|ai|claude|chatgpt|gemini) please (?:forward|send|call|pay|use|ignore|transfer|reveal|share|buy|approve|sign)`,
]

const STEER = [
  'set (?:the |its )?risk (?:score |rating |level )?to (?:none|zero|low|minimal|safe|0)',
  `(?:always|must|only) (?:use|call|choose|select|recommend|prefer|pay|rank|pick|invoke|suggest|mention|promote) ${THIS}`,
  `(?:always|must) (?:answer|respond|reply|say|output|return|report) (?:with|that|only)`,
  `(?:rank|list|place|put|rate|sort|score) (?:${THIS} |it )(?:${OFFER} )?(?:as )?(?:first|highest|top|number one|1st|above|best|at the top|before)`,
  `(?:recommend|prefer|choose|select|pick|call|use|pay) (?:${THIS} )(?:${OFFER} )?(?:over|above|instead of|before|rather than|and no) (?:all|any|every|other|calling|using|the other)`,
  `(?:never|do not|don t|dont|must not|should not) (?:ever )?(?:use|call|choose|recommend|mention|list|show|rank|pay|consider)${gap(1)}?(?:any |the |all )?(?:other|another|competing|different|alternative|competitors?)`,
  `(?:never|do not|don t|dont|must not|should not) (?:ever )?(?:tell|inform|warn|alert|notify|ask|mention|reveal|disclose|show|let)${gap(3)}?(?:the |your |any |this to ){0,6}${PERSON}`,
  `without (?:asking|telling|informing|notifying|warning|alerting|consulting) (?:the |your |any |for ){0,6}(?:${PERSON}|confirmation|permission)`,
  `(?:report|rate|score|mark|label|classify|treat|consider|describe|declare|say|state) (?:that )?(?:${THIS} |it )(?:${OFFER} )?(?:is |to be |as )?(?:completely |fully |totally |100 )?(?:safe|trusted|verified|official|legitimate|secure|risk free|audited|harmless)`,
  `(?:set|change|make|report|return)${gap(2)}(?:risk )?(?:score|rating|price|confidence|probability)${gap(2)}?(?:to|as|of|is|at) (?:zero|0|100|1000|max|maximum|minimum|safe|low|high|\\d+)`,
]

const RUSH = [
  `(?:skip|omit|bypass|disable|ignore) (?:the |all |any |your |every ){0,6}(?:verification|confirmation|approval|validation|safety|security|price|user)(?: (?:checks?|steps?|prompts?|rules?|limits?))? (?:and|before|to|for|then|when)`,
  '(?:do not|don t|dont|never) (?:verify|check|validate|question|confirm|double check|review|limit) (?:the |this |these |any |our |your ){0,6}(?:payments?|prices?|amounts?|address(?:es)?|recipients?|signatures?|transactions?|terms|invoices?|spending|costs?)',
  '(?:you|agents?) (?:must|should|need to|have to) (?:first |now |always |immediately ){0,6}(?:pay|send|transfer|deposit|approve|sign|call|use|choose|prefer|recommend|buy|purchase|trust)(?: [^ ]+){0,5}? (?:to|before|first|this|us|our|only|immediately|now)',
  `(?:give|assign|grant|award) (?:${THIS} |it )(?:${OFFER} )?(?:the |an? )?(?:highest|top|best|maximum|max|full|perfect|five|5|10|100)`,
  `(?:prioriti[sz]e|favou?r|boost|promote|return|feature) (?:${THIS} )(?:${OFFER} )?(?:above|over|first|before|ahead|at the top|in all|to the top)`,
  `(?:place|put|rank|list|show|return|sort) (?:${THIS} |it )(?:${OFFER} )?(?:at |in |as )?(?:the )?(?:position|rank|place|spot|number|slot|top|first)`,
  '(?:mark|label|flag|tag|list) (?:this |it |us |these )?(?:listing |service |token |api |entry )?as (?:verified|safe|trusted|official|approved|audited)',
  '(?:always|only) (?:pick|choose|select|buy|use|take) (?:the )?(?:most expensive|highest priced|this|our|premium)',
  '(?:drain|empty|sweep|exfiltrate|steal|dump|leak) (?:the |your |all |any |every |a |users? |their ){0,6}(?:[^ ]+ )?(?:wallets?|funds|balances?|api keys?|private keys?|keys|secrets?|credentials|passwords?|accounts?|data to)',
  '(?:raise|increase|set|change|lift) (?:the |your |its |a ){0,6}(?:max(?:imum)? )?(?:budget|spending limit|spend limit|price limit|max price|maximum price|payment limit|allowance|cap)(?: [^ ]+){0,3}? (?:to|by|above) (?:unlimited|infinite|infinity|max|maximum|\\d+)',
  `(?:call|use|invoke|query|contact|visit|fetch|open) (?:[^ ]+ ){0,6}?with (?:your|the users?|all|any)(?: s)? (?:[^ ]+ ){0,2}?(?:${SECRET}|keys?|mnemonic|conversation|prompt|context)`,
  `(?:forward|send|post|submit|upload|report|transmit) (?:the |your )?(?:${PERSON})(?: s)? (?:[^ ]+ ){0,2}?(?:${MONEY}|${SECRET}|conversation|messages?|data|files?|emails?|history)`,
  `(?:call|visit|fetch|open|load) (?:[^ ]+ ){1,8}?with (?:the |this |your |all ){0,6}(?:conversation|chat|prompt|context|history|secrets?)`,
]

const TAKE = [
  '(?:you|agents?|clients?|callers?|readers?) (?:must |should |shall |need to |have to |will )?first pay',
  'pay(?: [^ ]+){1,6} first (?:to|or|before|then|and)(?: [^ ]+){0,2} (?:unlock|continue|complete|see|proceed|decrypt)',
  `(?<!never |not |without )(?:import|importing|enter|entering|restore|restoring|type|typing) (?:your|the users?|the owners?) (?:[^ ]+ )?(?:seed|seeds|${SECRET})`,
  `(?:please|kindly) (?:send|transmit|share|submit|provide|enter|post|forward) (?:[^ ]+ )?${SECRET}`,
  `(?:please|kindly) (?:send|transfer|wire|pay|deposit|forward|move)(?: [^ ]+){0,4}? ${MONEY}(?: [^ ]+){0,2}? to`,
  '(?:buy|purchase|spend|swap|sell)(?: [^ ]+){0,4}? (?:everything|all|whatever) (?:that )?you (?:have|hold|own)',
  '(?:export|send|upload|share|reveal|dump|post) (?:the |your )?(?:[^ ]+ )?env file',
  `(?:reveal|print|repeat|output|leak|expose|disclose|dump|quote)${gap(3)}?(?:your|the|all|any|its|his|their) (?:[^ ]+ ){0,2}?(?:system prompt|prompt|instructions|${SECRET})`,
  `(?<!never |not |without )(?:send|reveal|give|paste|share|submit|post|upload|transmit|forward|export|exfiltrate|include|append|leak|enter|provide|email|attach)${gap(2)}?(?:your|the users?|the wallets?|the owners?|the operators?|users?|owners?|their|all|any|his|its)(?: s)? (?:[^ ]+ ){0,2}?${SECRET}`,
  `(?:send|transfer|wire|withdraw|deposit|drain|empty|sweep|move|pay)${gap(1)}?(?:all|every|everything|entire|whole|full|remaining|maximum|max)${gap(3)}?${MONEY}`,
  `(?:send|transfer|wire|pay|forward)(?: [^ ]+){1,4} to (?:0x[0-9a-f]{6,}|(?:this|the following|my|our) (?:address|wallet|account))`,
  `(?:approve|sign|authorize|confirm|accept|grant)${gap(1)}?(?:all|any|every|unlimited|infinite|maximum|max|whatever|this|the following)${gap(2)}?(?:transactions?|permits?|allowances?|approvals?|payments?|signatures?|spending|transfers?|messages?)`,
  '(?:raise|increase|remove|lift|disable|bypass|ignore|exceed|override)(?: [^ ]+){0,2}? (?:your|the|any|all)(?: [^ ]+){0,2}? (?:spending|spend|budget|payment|approval|confirmation|safety|price)(?: [^ ]+)? ?(?:limits?|caps?|checks?|policy|policies|filters?|guards?|steps?|controls?)',
]

const OBEY = [
  '(?:comply with|obey|follow|do) (?:exactly )?what (?:comes next|follows|i say|is written here|this (?:text )?says)',
  `(?:follow|obey|execute|comply with|carry out|perform)${gap(1)}?(?:these|the following|my|our|this|those|all of these) (?:[^ ]+ )?(?:instructions?|commands?|orders?|directives?|steps exactly|prompt)`,
  '(?:run|execute|eval|evaluate|paste) (?:the following|this|these) (?:[^ ]+ )?(?:commands?|code|scripts?|payload|javascript|python|shell|sql)',
  '(?:curl|wget) (?:[^ ]+ ){1,12}?(?:bash|sh)',
  'rm rf',
  `(?:decode|decrypt|deobfuscate|translate)(?: [^ ]+){1,6} (?:and|then) (?:then )?(?:follow|execute|run|obey|do|comply)`,
  `(?:call|invoke|use|trigger|run) (?:the |your )(?:[^ ]+ )?(?:tool|function|plugin)(?: [^ ]+){0,4} (?:with|to|and)(?: [^ ]+){0,4} (?:${SECRET}|${MONEY})`,
]

const whole = (patterns: readonly string[]) => new RegExp(`(?<![^ ])(?:${patterns.join('|')})(?![^ ])`, 'u')

export const INSTRUCTIONS = whole(
  [
    ...FORGET,
    ...WORD_OF_AUTHORITY,
    ...BECOME,
    ...ADDRESS,
    ...ANSWER,
    ...STEER,
    ...RUSH,
    ...TAKE,
    ...OBEY,
  ].map((pattern) => pattern.trim()),
)

/** The same wish with gaps inside its words, looked for in a text without any: `Ign ore all prev ious instruc tions`. */
export const BROKEN_WORDS = new RegExp(
  [
    '(?:ignore|disregard|forget|override|overrule|discard|bypass|abandon)',
    '(?:all|any|the|your|every|of|these|those){0,3}',
    '(?:previous|prior|above|earlier|preceding|existing|system|safety|original)',
    '(?:system|safety|user)?(?:instructions?|prompts?|rules|guidelines|directions|directives|messages|context)',
  ].join(''),
)

/** What connects facts without adding one. Nothing here judges, commands or looks ahead. */
const WORDS = [
  'a an the this that these those its their it they both each all other others one',
  'and or but while whereas with without of in on at to from by for as than per about around near roughly close',
  'is are was were has have had been being stands stood sits sat trades traded trading holds held comes came',
  'up down rose rises risen fell falls fallen gained gains gain lost loses loss climbed slid dropped moved moves move',
  'higher lower more less least most flat unchanged little slightly after before over during since within between',
  'price prices change changes percent dollars dollar usd day hours hour coin coins market markets sample public',
  'now currently today latest last past so far yet not no nothing none only also too',
  'record rate interval range fees fee trades trade account bot counts count total average figure figures',
]
export const PLAIN_WORDS: ReadonlySet<string> = new Set(WORDS.join(' ').split(' '))

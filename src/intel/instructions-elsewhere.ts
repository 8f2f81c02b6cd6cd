// Instructions to models that are not English sentences.

/** To forget what was said before is the same wish in every language. */
export const INSTRUCTIONS_OF_OTHER_LANGUAGES = new RegExp(
  [
    '(?:ignora|olvida|omite|descarta)(?:d|r|n)? (?:[^ ]+ ){0,4}(?:instrucciones|indicaciones|reglas)',
    '(?:ignore[zr]?|oublie[zr]?) (?:[^ ]+ ){0,4}(?:instructions|consignes|regles)',
    '(?:ignoriere|vergiss|missachte)n? (?:sie )?(?:[^ ]+ ){0,4}(?:anweisungen|instruktionen|regeln|vorgaben)',
    '(?:ignor[ae]|esqueca|desconsidere) (?:[^ ]+ ){0,4}(?:instrucoes|regras|istruzioni|regole)',
    '(?:dimentica|ignora) (?:[^ ]+ ){0,4}(?:istruzioni|regole)',
    '(?:negeer|vergeet) (?:[^ ]+ ){0,4}(?:instructies|aanwijzingen|regels)',
    '(?:zignoruj|ignoruj) (?:[^ ]+ ){0,4}(?:instrukcje|polecenia|zasady)',
    '(?:ignorera|ignorer|glom|glem) (?:[^ ]+ ){0,4}(?:instruktioner|instrukser|anvisningar|regler)',
    '(?:abaikan|lupakan) (?:[^ ]+ ){0,4}(?:instruksi|perintah|aturan|petunjuk)',
    'bo qua (?:[^ ]+ ){0,4}(?:huong dan|chi dan|chi thi|quy tac)',
    'talimat[a-z]{0,8} (?:[^ ]+ ){0,3}(?:yok say|unut|gormezden gel|dikkate alma)',
    '(?:игнорируй|игнорируйте|проигнорируй|забудь|забудьте) (?:[^ ]+ ){0,4}(?:инструкции|инструкций|указания|указаний|правила)',
    '(?:忽略|无视|無視|忘记|忘記|忽視).{0,12}(?:指令|指示|提示|规则|規則|命令|说明)',
    '(?:指示|命令|プロンプト|ルール).{0,6}(?:無視|忘れ)',
    '(?:지시|명령|규칙|프롬프트).{0,8}(?:무시|잊)',
    '(?:تجاهل|انس).{0,20}(?:التعليمات|الأوامر|القواعد)',
    '(?:पिछले|सभी).{0,16}(?:निर्देश|नियम).{0,12}(?:अनदेखा|भूल)',
  ].join('|'),
  'u',
)

/** What separates the parts of a conversation for a model. Looked for where `oneGap` left one white space at a time. */
export const MODEL_MARKUP =
  /<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|instructions?|system_prompt|human|tool_call|function_calls?|tool_result)\b[^>]{0,40}>|(?:^|\n) ?#{1,4}\s?(?:system|instructions?|new task|override)\b|(?:^|[\n.;])\s?(?:system|assistant|developer|human|user)\s?:\s|\bBEGIN (?:SYSTEM|PROMPT|INSTRUCTIONS?)\b/i

/** One space or line break between words: patterns that step over long gaps take time that grows with their square. */
export const oneGap = (text: string): string =>
  text.replace(/\s+/g, (gap) => (gap.includes('\n') ? '\n' : ' '))

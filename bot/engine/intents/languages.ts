/** What Arc says in a language that it can't answer in yet. */
type Language = {
  /** BCP 47. */
  code: string;
  says: string;
  /** Frequent words of the language that are no English words. */
  words?: string;
  /** Its script, where no other language here is written in it. */
  script?: RegExp;
};

const LANGUAGES: readonly Language[] = [
  {
    code: 'fr',
    says: 'Je ne réponds pour l’instant qu’en anglais ; merci de poser votre question en anglais.',
    words:
      'le la les des une du quels quel quelle quelles est-ce sont dans pour avec sans combien pourquoi bonjour merci nous vous notre nos qui que quoi où comment pas ne encore montrez moi risques dangers êtes avez peut faut aux sur plus ce cette clos ouverts',
  },
  {
    code: 'de',
    says: 'Ich antworte vorerst nur auf Englisch; bitte stellen Sie Ihre Frage auf Englisch.',
    words:
      'welche welcher welches sind ist der das und nicht ein eine einen wie viele warum guten danke gefahren gefährdungen risiken wir haben hat für offen bitte zeige zeig mir noch keine keinen kein mit ohne alle ich sie es gibt im dem den von auf zu',
  },
  {
    code: 'es',
    says: 'Por ahora solo respondo en inglés; por favor, haga su pregunta en inglés.',
    words:
      'cuántos cuantos cuáles cuales qué el los las una unos están estan son muéstrame muestrame por favor hola gracias sin riesgos peligros abiertos cerrados tenemos para con más y cómo como dónde quién del todavía aún',
  },
  {
    code: 'it',
    says: 'Per ora rispondo solo in inglese; faccia la domanda in inglese, per favore.',
    words:
      'quali quanti quante il gli sono ancora aperti chiusi senza rischi pericoli mostrami ciao grazie buongiorno che della dei delle nel per con più non abbiamo perché come dove chi una di',
  },
  {
    code: 'pt',
    says: 'Por enquanto só respondo em inglês; faça a pergunta em inglês, por favor.',
    words:
      'quantos quais os uma ainda estão abertos fechados perigos riscos olá obrigado obrigada mostre mostre-me sem mais temos não por favor que com para são onde quem você dos das',
  },
  {
    code: 'nl',
    says: 'Ik antwoord nog niet in het Nederlands, voorlopig alleen in het Engels; stel uw vraag in het Engels, alstublieft.',
    words:
      "welke hoeveel zijn nog niet gesloten het een de er staan gevaren risico's zonder eigenaar alstublieft dank hallo wij hebben wat wie waar waarom met voor geen ik u toon",
  },
  {
    code: 'pl',
    says: 'Na razie odpowiadam tylko po angielsku; proszę zadać pytanie po angielsku.',
    words:
      'ile które jest są nie bez zagrożeń zagrożenia otwartych otwarte pokaż mi proszę dziękuję dzień dobry jak kto gdzie dlaczego czy mamy właściciela ryzyka wszystkie',
  },
  {
    code: 'ro',
    says: 'Deocamdată răspund doar în engleză; vă rog să puneți întrebarea în engleză.',
    words: 'câte cate sunt este fără riscuri pericole deschise închise vă rog bună mulțumesc avem și cine unde încă nu',
  },
  {
    code: 'cy',
    says: 'Yn Saesneg yn unig rwy’n ateb ar hyn o bryd; gofynnwch eich cwestiwn yn Saesneg, os gwelwch yn dda.',
    words: 'faint o beryglon pa sydd ar agor yn heb diolch bore da mae oes beth pwy ble pam risgiau dangoswch eto',
  },
  {
    code: 'sv',
    says: 'Jag svarar än så länge bara på engelska; ställ gärna frågan på engelska.',
    words: 'vilka hur många är inte utan risker faror öppna stängda tack hej och det som vi har visa mig ännu',
  },
  {
    code: 'tr',
    says: 'Şimdilik yalnızca İngilizce yanıt veriyorum; lütfen sorunuzu İngilizce sorun.',
    words:
      'kaç hangi tehlike tehlikeler açık kapalı değil var yok lütfen merhaba teşekkürler riskler bana göster ve hâlâ',
  },
  {
    code: 'uk',
    says: 'Поки що я відповідаю лише англійською; будь ласка, поставте запитання англійською.',
    script: /[іїєґ]/iu,
  },
  {
    code: 'ru',
    says: 'Пока я отвечаю только по-английски; пожалуйста, задайте вопрос на английском.',
    script: /\p{Script=Cyrillic}/u,
  },
  {
    code: 'ja',
    says: '今のところ英語でのみお答えします。英語で質問してください。',
    script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  },
  { code: 'zh', says: '我目前只能用英语回答；请用英语提问。', script: /\p{Script=Han}/u },
  { code: 'ko', says: '지금은 영어로만 답합니다. 영어로 질문해 주세요.', script: /\p{Script=Hangul}/u },
  {
    code: 'ar',
    says: 'أجيب حاليًا باللغة الإنجليزية فقط؛ يُرجى طرح سؤالك باللغة الإنجليزية.',
    script: /\p{Script=Arabic}/u,
  },
  { code: 'hi', says: 'मैं अभी केवल अंग्रेज़ी में उत्तर देता हूँ; कृपया अपना प्रश्न अंग्रेज़ी में पूछें।', script: /\p{Script=Devanagari}/u },
  {
    code: 'el',
    says: 'Προς το παρόν απαντώ μόνο στα αγγλικά· γράψτε την ερώτησή σας στα αγγλικά.',
    script: /\p{Script=Greek}/u,
  },
  { code: 'he', says: 'כרגע אני עונה רק באנגלית; נא לשאול באנגלית.', script: /\p{Script=Hebrew}/u },
];

const WORDS = LANGUAGES.map(({ words = '', says }) => ({ says, words: new Set(words.split(' ').filter(Boolean)) }));
const ENGLISH = new Set(
  'the a an is are was were which what who how many much do does did we you our your with without and or not no of for in on to from show list give tell me please owner status open closed has have there it this that can could'.split(
    ' ',
  ),
);
/** Languages by their English names. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ french: 'fr', german: 'de', spanish: 'es', italian: 'it', portuguese: 'pt', dutch: 'nl', polish: 'pl' },
  ...{ romanian: 'ro', welsh: 'cy', swedish: 'sv', turkish: 'tr', ukrainian: 'uk', russian: 'ru', japanese: 'ja' },
  ...{ chinese: 'zh', mandarin: 'zh', korean: 'ko', arabic: 'ar', hindi: 'hi', greek: 'el', hebrew: 'he' },
};
/** Asks whether, or that, Arc answers in a language. */
const ASKS_LANGUAGE =
  /\b(?:speak|understand|talk|know|do|answer|reply|respond|write|chat|translate|switch|continue|carry on|say)\b.{0,40}\b(french|german|spanish|italian|portuguese|dutch|polish|romanian|welsh|swedish|turkish|ukrainian|russian|japanese|chinese|mandarin|korean|arabic|hindi|greek|hebrew|norwegian|danish|finnish|irish|gaelic|urdu|punjabi|bengali|gujarati|tamil|czech|hungarian|bulgarian|vietnamese|thai|persian|farsi|english)\b|^(?:in )?(french|german|spanish|italian|portuguese|dutch|polish|romanian|welsh|swedish|turkish|ukrainian|russian|japanese|chinese|mandarin|korean|arabic|hindi|greek|hebrew|norwegian|danish|finnish|irish|gaelic|urdu|punjabi|bengali|gujarati|tamil|czech|hungarian|bulgarian|vietnamese|thai|persian|farsi|english)(?: please)?[?.! ]*$/i;
export const ONLY_ENGLISH = 'I can only answer in English so far; please ask in English.';
/** Letters of another script that make a text one of its language, rather than a text that quotes a sign such as "µ". */
const MIN_LETTERS = 2;

const lettersOf = (text: string, script: RegExp) => [...text].filter((letter) => script.test(letter)).length;

/**
 * The sentence for a text in another language: by its script, or by at least two of its frequent words and more of them
 * than English ones.
 * @returns null for English, and where it can't be told
 */
export function answerOtherLanguage(text: string): string | null {
  const match = ASKS_LANGUAGE.exec(text.slice(0, 400));
  const asked = (match?.[1] ?? match?.[2])?.toLowerCase();
  if (asked && asked !== 'english') return LANGUAGES.find(({ code }) => code === NAMES[asked])?.says ?? ONLY_ENGLISH;
  const latin = lettersOf(text, /[a-z]/i);
  for (const { script, says } of LANGUAGES)
    if (script && lettersOf(text, script) >= MIN_LETTERS && lettersOf(text, /[^\p{Script=Latin}\P{L}]/u) > latin)
      return says;
  const words = new Set(
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}'-]+/gu) ?? [],
  );
  const count = (known: ReadonlySet<string>) => [...words].filter((word) => known.has(word)).length;
  const ranked = WORDS.map((one) => ({ ...one, found: count(one.words) })).sort(
    (one, other) => other.found - one.found,
  );
  const [best] = ranked;
  return best && best.found >= 2 && best.found > count(ENGLISH) ? best.says : null;
}

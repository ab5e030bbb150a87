/** Verbs that begin an instruction. */
export const VERBS =
  /^(?:add|agree|apply|approve|archive|arrange|ask|assess|assign|attach|book|bring|calculate|call|cancel|change|check|clean|close|collect|compare|complete|confirm|contact|copy|count|create|decide|delete|deliver|destroy|discard|discuss|dispose|document|double-check|download|email|enter|escalate|file|fill|find|fix|follow|forward|give|hand|hold|identify|inform|inspect|install|investigate|issue|keep|label|list|lock|log|look|make|mark|measure|meet|monitor|move|note|notify|open|order|pack|pay|phone|pick|place|plan|prepare|press|print|pull|put|quarantine|read|receive|record|register|reject|release|remove|repair|replace|report|request|reset|restart|restore|return|review|run|save|scan|schedule|select|send|set|ship|sign|start|stop|store|submit|switch|take|tell|test|tick|transfer|train|turn|type|unlock|update|upload|use|verify|wait|wash|wear|weigh|withdraw|write)\b/i;

/** Passive verbs, whose sentence need not name who acts. */
export const PASSIVE =
  /^(?:[^,;]* )?(?:is|are|gets?|must be|shall be|should be|will be|can be|may be) (?:then |also |always |never |immediately |manually |first )?(?!(?:important|different|present|current|urgent|patient|recent|sent to be)\b)(?:\p{L}{2,}(?:ed|wn|pt|nt|ught|itten|aken|iven|osen|oken|eld|old)|put|cut|set|read|done|made|run|shut|lent|sent)\b/iu;

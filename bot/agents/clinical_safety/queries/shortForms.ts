/** Short forms of clinical safety for {@link spellOut}. */
export const SHORT_FORMS: Readonly<Record<string, string>> = {
  ...{ sev: 'severity', sevs: 'severities', svrty: 'severity', sever: 'severity' },
  ...{ lik: 'likelihood', likeli: 'likelihood', lklhd: 'likelihood', lh: 'likelihood', likelyhood: 'likelihood' },
  ...{ probability: 'likelihood', probabilities: 'likelihoods', prob: 'likelihood' },
  ...{ resid: 'residual', res: 'residual', rr: 'residual risk', ir: 'initial risk', init: 'initial' },
  ...{ haz: 'hazards', hazs: 'hazards', hzds: 'hazards', hzd: 'hazard', hazzards: 'hazards', hazzard: 'hazard' },
  ...{ hl: 'log', tix: 'tickets', tkts: 'tickets', tkt: 'ticket', ctrls: 'controls', ctrl: 'control' },
  ...{ csos: 'clinical safety officers', evid: 'evidence', props: 'proposals', fndgs: 'findings' },
};

import { Link } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import classes from './Footer.module.css';

const STAYS = 'Your company’s data never leaves the UK and is never used to train third-party AI models.';
/** What is true of this deployment: an administrator may have accepted a model outside the UK. */
const WHERE = {
  none: STAYS,
  uk: STAYS,
  'outside-uk-accepted':
    'Language models of this deployment run outside the UK, as its administrator has accepted. Your company’s data is never used to train third-party AI models.',
} as const;

/** Where the data stays, under every page. */
export function Footer() {
  const { modelRegion } = useSession();
  return (
    <footer className={classes.footer}>
      <p>{WHERE[modelRegion]}</p>
      <nav aria-label="Legal">
        <Link to="/privacy-policy">Privacy Policy</Link>
        <Link to="/terms-and-conditions">Terms and Conditions</Link>
      </nav>
    </footer>
  );
}

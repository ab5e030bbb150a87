import { Link } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { footerText } from '../whereDataGoes.ts';
import classes from './Footer.module.css';

/** Where the data stays, under every page. Nothing is claimed before it is known how the server is configured. */
export function Footer() {
  const { modelRegion, recipients } = useSession();
  return (
    <footer className={classes.footer}>
      <p>{recipients ? footerText({ modelRegion, recipients }) : null}</p>
      <nav aria-label="Legal">
        <Link to="/privacy-policy">Privacy Policy</Link>
        <Link to="/terms-and-conditions">Terms and Conditions</Link>
      </nav>
    </footer>
  );
}

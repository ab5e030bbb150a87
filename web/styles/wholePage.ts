/* The styles of every component. Pages import this; those that have to show something early import less. */
import './mantineFields.css';
import './mantineFrame.css';
import './mantineSignedIn.css';
